const assert = require('node:assert/strict')
const { openMemory } = require('keepsake')
assert.equal(typeof openMemory, 'function')
