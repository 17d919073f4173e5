'use strict'
// The same instance as `import` gives.
module.exports = require('./dist/index.js')
