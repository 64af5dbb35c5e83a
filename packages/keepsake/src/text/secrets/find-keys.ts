import type { SecretSpan } from './mask-secrets.ts'

/** Loads secretlint's rules once, without its profiler, which keeps some sixty entries of every text for as long as the process lives. */
async function loadRules() {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ])
  secretLintProfiler.setEnabled(false)
  return { lintSource, creator }
}

let loaded: ReturnType<typeof loadRules> | undefined

/**
 * API keys, tokens, private keys and connection strings, by secretlint's recommended rules: a maintained set
 * that knows each service's form, so that long ordinary words and ids stay.
 */
export async function findKeys(text: string): Promise<SecretSpan[]> {
  const { lintSource, creator } = await (loaded ??= loadRules())
  const { messages } = await lintSource({
    source: { filePath: 'turn.txt', content: text, ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    },
  })
  return messages.map(({ range: [start, end] }) => ({ start, end, kind: 'key' }))
}
