import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { teach, type Language, type Taught } from './teach-memory.ts'

/** Registers `use-memory`: what a model should know about when to recall, remember, correct and forget. */
export function registerMemoryPrompt(server: McpServer, access: Taught): void {
  server.registerPrompt(
    'use-memory',
    {
      title: 'Use memory',
      description: 'Teaches the model when to recall, remember, correct and forget. 教模型何时使用记忆。',
      argsSchema: { language: z.string().max(100).optional().describe('en (the default) or zh / 中文') },
    },
    ({ language }) => ({
      description: 'When to use memory',
      messages: [
        { role: 'user', content: { type: 'text', text: teach(readLanguage(language ?? ''), access) } },
      ],
    }),
  )
}

/** People type arguments of prompts by hand: a tag, or the language's name in either language. */
function readLanguage(given: string): Language {
  const name = given.trim().toLowerCase()
  if (name === '' || /^(?:en(?:[-_].*)?|english|英文|英语)$/.test(name)) return 'en'
  if (/^(?:zh(?:[-_].*)?|chinese|中文|汉语|漢語|普通话|简体中文|繁體中文)$/.test(name)) return 'zh'
  throw new McpError(
    ErrorCode.InvalidParams,
    'This prompt is there in en and zh: give language as one of them.',
  )
}
