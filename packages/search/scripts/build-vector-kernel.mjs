// Assembles src/scan-kernel.wat into scan-kernel-bytes.ts, which is committed, so that neither
// installing nor building the package needs an assembler.
//
//   node scripts/build-vector-kernel.mjs           writes the file
//   node scripts/build-vector-kernel.mjs --check   exits 1 when the committed file differs
import { readFile, writeFile } from 'node:fs/promises'
import loadWabt from 'wabt'

const source = new URL('../src/scan-kernel.wat', import.meta.url)
const target = new URL('../src/scan-kernel-bytes.ts', import.meta.url)

async function assemble(text) {
  const wabt = await loadWabt()
  const module = wabt.parseWat('scan-kernel.wat', text, { simd: true })
  try {
    module.validate()
    return module.toBinary({ write_debug_names: false }).buffer
  } finally {
    module.destroy()
  }
}

function renderBytesFile(bytes) {
  return [
    '// Made by scripts/build-vector-kernel.mjs from scan-kernel.wat: change that and run the script.',
    '',
    `/** The assembled scan kernel: ${bytes.length} bytes of WebAssembly, in base64. */`,
    'export const SCAN_KERNEL_BASE64 =',
    `  '${Buffer.from(bytes).toString('base64')}'`,
    '',
  ].join('\n')
}

const rendered = renderBytesFile(await assemble(await readFile(source, 'utf8')))
if (process.argv.includes('--check')) {
  if (rendered !== (await readFile(target, 'utf8'))) {
    console.error(
      'scan-kernel-bytes.ts is not what scan-kernel.wat assembles to. Run build-vector-kernel.mjs.',
    )
    process.exit(1)
  }
  console.log('scan-kernel-bytes.ts is what scan-kernel.wat assembles to.')
} else {
  await writeFile(target, rendered)
  console.log(`Wrote ${target.pathname}`)
}
