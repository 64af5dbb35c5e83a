import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import lessons from './lessons.json' with { type: 'json' }

type Language = 'en' | 'zh'

/** The allowed actions. The instructions depend on them. */
interface Access {
  readonly canRead: boolean
  readonly canWrite: boolean
}

/** The instructions for a model that uses memory, in one language. */
interface Lesson {
  readonly head: string
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** Rules for changes, which need read and write access. */
  readonly change: readonly string[]
  readonly end: string
  /** Introduces the profile, as data. */
  readonly profile: string
}

const LESSONS: Readonly<Record<Language, Lesson>> = lessons

/** Formats the instructions when to use memory, for read access, write access, or both. */
export function formatLesson(language: Language, { canRead, canWrite }: Access): string {
  const { head, read, write, change, end } = LESSONS[language]
  const rules = [...(canRead ? read : []), ...(canWrite ? write : []), ...(canRead && canWrite ? change : [])]
  return [head, ...rules.map((rule) => `- ${rule}`), end].join('\n')
}

/** Registers the prompt `use-memory`: when to recall, remember, correct and forget, followed by the profile if it may be read. */
export function registerMemoryPrompt(
  server: McpServer,
  access: Access,
  profile: () => Promise<string | null>,
): void {
  server.registerPrompt(
    'use-memory',
    {
      title: 'Use memory',
      description: 'Tells the model when to recall, remember, correct and forget. 教模型何时使用记忆。',
      argsSchema: { language: z.string().max(100).optional().describe('en (the default) or zh / 中文') },
    },
    async ({ language: requested }) => {
      const language = readLanguage(requested ?? '')
      const userProfile = await profile()
      const lesson = formatLesson(language, access)
      const text =
        userProfile === null ? lesson : `${lesson}\n\n${LESSONS[language].profile}\n\n${userProfile}`
      return {
        description: 'When to use memory',
        messages: [{ role: 'user', content: { type: 'text', text } }],
      }
    },
  )
}

/** Reads a language tag or name: `en`, `zh-CN`, `Chinese`, `中文`. Users type it by hand. */
function readLanguage(input: string): Language {
  const name = input.trim().toLowerCase()
  if (name === '' || /^(?:en(?:[-_].*)?|english|英文|英语)$/.test(name)) return 'en'
  if (/^(?:zh(?:[-_].*)?|chinese|中文|汉语|漢語|普通话|简体中文|繁體中文)$/.test(name)) return 'zh'
  throw new McpError(
    ErrorCode.InvalidParams,
    'This prompt exists in en and zh. Pass one of them as language.',
  )
}
