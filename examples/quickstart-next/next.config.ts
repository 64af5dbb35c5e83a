import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NextConfig } from 'next'

const config: NextConfig = {
  output: 'standalone',
  // A native module and data files that lie beside it: outside the bundle.
  serverExternalPackages: ['keepsake', '@keepsake/models'],
  // This folder is the whole project, whatever lies above it.
  outputFileTracingRoot: dirname(fileURLToPath(import.meta.url)),
}

export default config
