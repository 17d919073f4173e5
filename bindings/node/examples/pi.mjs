// pi with the engine: pi -e examples/pi.mjs
import { throughline } from 'throughline/pi'

export default throughline()
