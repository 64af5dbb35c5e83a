import type { SecretSpan } from './mask-secrets.ts'

/**
 * API keys, tokens, private keys and connection strings, by secretlint's recommended rules: a maintained set
 * that knows each service's form, so that long ordinary words and ids stay.
 */
export async function findKeys(text: string): Promise<SecretSpan[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const { messages } = await lintSource({
    source: { filePath: 'turn.txt', content: text, ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    },
  })
  return messages.map(({ range: [start, end] }) => ({ start, end, kind: 'key' }))
}
