import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NextConfig } from 'next'

const config: NextConfig = {
  output: 'standalone',
  // These packages have a native module and data files, which a bundle would not contain.
  serverExternalPackages: ['keepsake', '@keepsake/models'],
  // This folder is the whole project, even if a folder above it looks like one.
  outputFileTracingRoot: dirname(fileURLToPath(import.meta.url)),
}

export default config
