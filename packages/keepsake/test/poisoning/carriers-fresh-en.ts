import type { Carrier } from './carrier.ts'

const inOneLine = (words: string): string => words.replaceAll('\n', ' ')
const each = (words: string, wrap: (line: string, at: number) => string): string =>
  words.split('\n').map(wrap).join('\n')
const subtitle = (line: string, at: number): string =>
  `${at + 1}\n00:00:0${at + 1},000 --> 00:00:0${at + 2},000\n${line}\n`

/** More ways, written without a look at how they are told: what people paste, dictate, ask about and have put right. */
export const FRESH_ENGLISH_CARRIERS: readonly Carrier[] = [
  { from: 'document', text: (words) => `Write a story. Start with: ${inOneLine(words)}` },
  { from: 'page', text: (words) => `What does this tweet mean? ${inOneLine(words)}` },
  { from: 'song', text: (words) => `Finish this rhyme for the kids. It begins like so: ${inOneLine(words)}` },
  {
    from: 'page',
    text: (words) =>
      `Grandma Rosa's Lemon Cake\n\n${inOneLine(words)} But back to the cake!\n\nIngredients:\n- 3 lemons\n- 200 g sugar`,
  },
  { from: 'song', text: (words) => `Who sings this? ${inOneLine(words)}` },
  { from: 'song', text: (words) => `Do you know the song that goes ${inOneLine(words).toLowerCase()}` },
  { from: 'document', text: (words) => each(words, subtitle) },
  {
    from: 'mail',
    text: (words) => `To the Housing Office\nRe: application\n\n${words}\n\nSigned,\nM. Berg`,
  },
  {
    from: 'document',
    text: (words) =>
      `Minutes of the board meeting, 3 March\nPresent: Olga, Ben\n\n1. Opening\n${words}\n2. Budget\nNothing to report.`,
  },
  {
    from: 'page',
    text: (words) => `★★★★★ Best drill ever!\n${words}\nWould buy again.\n12 people found this helpful`,
  },
  {
    from: 'page',
    text: (words) => `User review by max_b, 3 March 2026\n${words}\nHelpful? Yes (3) No (0)`,
  },
  {
    from: 'chat',
    text: (words) => `Max Berg  10:31 AM\n${words}\n\nOlga Stein  10:32 AM\nlol`,
  },
  { from: 'chat', text: (words) => `max — Today at 10:31 AM\n${words}` },
  { from: 'chat', text: (words) => `03/03/2026, 10:31 - Max Berg\n${words}` },
  { from: 'document', text: (words) => `translate to dutch pls ${inOneLine(words)}` },
  {
    from: 'document',
    text: (words) => `My friend needs a better dating profile, can you proofread it? ${inOneLine(words)}`,
  },
  { from: 'chat', text: (words) => `New voicemail, 3 March, 0:42\n${words}` },
  { from: 'chat', text: (words) => `Voicemail from Max (0:31) ${inOneLine(words)}` },
  {
    from: 'page',
    text: (words) =>
      `We are hiring!\nPlumber, full time\nWhat our people say:\n${words}\nApply now at jobs@example.org`,
  },
  { from: 'page', text: (words) => `Leo, say this to yourself today: ${inOneLine(words)}` },
  { from: 'page', text: (words) => `Testimonials\n${words}\n– Max B., Graz` },
  { from: 'document', text: (words) => `Make this sound more formal - ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Is this sentence correct? ${inOneLine(words)}` },
  { from: 'document', text: (words) => `How do I say this in Polish? ${inOneLine(words)}` },
  { from: 'document', text: (words) => `I copied this from her diary - ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Pretend you are Max and introduce yourself: ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Repeat after me: ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Dictation for tomorrow: ${inOneLine(words)}` },
  { from: 'chat', text: (words) => `My flatmate left a note on the fridge - ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Guess who said this: ${inOneLine(words)}` },
]
