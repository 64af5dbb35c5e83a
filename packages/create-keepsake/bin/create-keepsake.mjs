#!/usr/bin/env node
// Uses only syntax that old versions of Node parse, so that a message names the needed version before any other line can fail.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    'create-keepsake needs Node 22.18 or newer and this is Node ' + process.versions.node + '.\n',
  )
  process.exitCode = 2
} else {
  void import('../dist/index.js').then(({ main }) => main(process.argv.slice(2)))
}
