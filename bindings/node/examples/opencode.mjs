// OpenCode with the engine: name this file in `plugin` of opencode.json, as file:///…/opencode.mjs
import { throughline } from 'throughline/opencode'

export const Throughline = throughline()
