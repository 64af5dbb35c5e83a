#!/usr/bin/env node
// Uses only syntax that old versions of Node parse, and no static import. The check of the version must come first, because the SQLite
// binding crashes Node 20.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    'keepsake needs Node 22.18 or newer and this is Node ' +
      process.versions.node +
      ': run it with a newer Node, or through `npm run keepsake` in its repository, which brings its own.\n',
  )
  process.exitCode = 2
} else {
  import('../dist/index.js').then(
    ({ main }) => main(),
    (error) => {
      process.stderr.write('keepsake could not start: ' + (error && error.message) + '\n')
      if (process.argv.includes('--debug')) process.stderr.write(String(error && error.stack) + '\n')
      process.exitCode = 1
    },
  )
}
