// Adds the application's guidelines to prompts.
import type { Guidelines } from '../guidelines/guidelines.ts'
import type { Prompt, PromptLanguage } from './prompt.ts'
import { quoted } from './render-data.ts'

const SECTION = {
  en: {
    head: 'Of the application that this memory serves; it outweighs what is said above of what to write down, and nothing else:',
    keep: 'Write down whatever the talk tells of this, small as it may be:',
    never:
      'Never write this down, in no field, also not in part, in other words or as a hint; leave out what cannot be said without it:',
  },
  zh: {
    head: '以下是使用这份记忆的应用的要求。关于记什么，以它为准；其他照上文：',
    keep: '凡谈到下列内容的都要记，再小也记：',
    never: '下列内容绝不写进任何一项，部分内容、换个说法、暗示都不行；不提它就说不清的，整条不写：',
  },
} as const

function renderList(head: string, guidelines: readonly string[]): string {
  if (guidelines.length === 0) return ''
  return `\n${head}\n${guidelines.map((line) => `- ${quoted(line)}`).join('\n')}`
}

/** Renders guidelines as the last section of a prompt. */
function renderGuidelines({ keep, never }: Guidelines, language: PromptLanguage): string {
  const section = SECTION[language]
  return `\n\n${section.head}${renderList(section.keep, keep)}${renderList(section.never, never)}`
}

/** The version of the section's text. Any change of the text raises it. */
const SECTION_VERSION = 1

/** Adds guidelines to a prompt whose answer is stored. */
export function withGuidelines<Input, Output>(
  prompt: Prompt<Input, Output>,
  guidelines: Guidelines,
): Prompt<Input, Output> {
  return {
    ...prompt,
    guidelines: SECTION_VERSION,
    render: (input, language) => {
      const rendered = prompt.render(input, language)
      return { ...rendered, system: `${rendered.system}${renderGuidelines(guidelines, language)}` }
    },
  }
}
