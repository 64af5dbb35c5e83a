import { z } from 'zod'
import { generatePrompt, notOnce } from '../../generate-prompt.ts'

export interface NarrateEventsInput {
  readonly persona: string
  /** Steps of the life, in order; their place from 1 is their number. */
  readonly steps: readonly string[]
}

/** HaluMem's stage 3: each step of the skeleton becomes an event, with what was before, what is after, and why. */
export const narrateEventsPrompt = generatePrompt({
  id: 'generate-narrate-events',
  version: 2,
  schema: z.object({ events: z.array(z.object({ number: z.number(), description: z.string() })) }),
  shape: '{"events": [{"number": 1, "description": "…"}]}',
  rules: {
    en: `Turn each numbered step of a life into an event that happened.

- Three to five sentences in the third person: what happened, where or with whom, why it came about, how it was before, and what it led to at once. Names, numbers and things are specific and agree with the step and with <person>.
- A change of taste needs a scene too: the occasion that brought it about.
- An event knows those before it and nothing of those after it.
- The step's date is kept beside the event: leave it out of the text.
- One event for each step, with its number.`,
    zh: `把编了号的人生步骤逐条写成已经发生的事件。

- 三到五句，第三人称：发生了什么，在哪里或和谁一起，为什么，之前怎样，当下带来了什么结果。名称、数字、物件要具体，与这一步和 <person> 一致。
- 喜好的变化也要有场景：是什么事引起的。
- 每个事件承接前面的，只写这件事直接的结果，不涉及后面的步骤。
- 日期另有记录，正文里不写这一步的日期。
- 每一步一个事件，带上编号。`,
  },
  material: ({ persona, steps }: NarrateEventsInput) => ({ person: persona, steps }),
  problems: ({ events }, { steps }) =>
    notOnce(
      steps.length,
      events.filter(({ description }) => description.trim() !== ''),
    ).map((number) => `Step ${number} needs exactly one event with a description.`),
  maxOutputTokens: 8_000,
})
