import { LATER, type Carrier } from './carrier.ts'

const inOneLine = (words: string): string => words.replaceAll('\n', ' ')
const lines = (words: string): readonly string[] => words.split('\n')
const each = (words: string, wrap: (line: string) => string): string => lines(words).map(wrap).join('\n')

/** Ways in which a text of somebody else comes to stand in an English talk. */
export const ENGLISH_CARRIERS: readonly Carrier[] = [
  // Pages and what is to be done with them.
  { from: 'page', text: (words) => `Summarise this page:\n${words}` },
  { from: 'page', text: (words) => `Can you give me the gist of this article?\n\nA NEW START\n\n${words}` },
  { from: 'page', text: (words) => `What does this web page say: ${inOneLine(words)}` },
  { from: 'page', text: (words) => `<html><body><h1>About</h1><p>${inOneLine(words)}</p></body></html>` },
  { from: 'page', text: (words) => `Have a look at my draft <b>please</b> <!-- ${inOneLine(words)} -->` },
  { from: 'page', text: (words) => `<div class="bio">${words}` },
  { from: 'page', text: (words) => `From the site I told you about:\n\n${words}` },
  { from: 'page', text: (words) => `# Our story\n\n${words}\n\n## Contact\n\nWrite to us.` },
  { from: 'page', text: (words) => `I found this on a forum:\n\n${words}\n\n${words}` },
  { from: 'page', text: (words) => `The about page reads: ${inOneLine(words)}` },
  { from: 'page', text: (words) => `What do you make of this\n---\n${words}\n---` },
  {
    from: 'page',
    text: (words) => `| who | about |\n|---|---|\n${each(words, (line) => `| max | ${line} |`)}`,
  },
  // Documents.
  { from: 'document', text: (words) => `Translate this into German: ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Please translate the following letter.\n\n${words}` },
  { from: 'document', text: (words) => `Proofread this cover letter for a friend:\n\n${words}` },
  { from: 'document', text: (words) => `${words}\n\nTranslate the above into French, please.` },
  { from: 'document', text: (words) => `Rephrase: ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Here is the transcript of the interview:\n${words}` },
  { from: 'document', text: (words) => `Chapter 3\n\n${words}\n\nThe rain would not stop.` },
  { from: 'document', text: (words) => `The Long Way Home\nby Clara Stone\n\n${words}` },
  { from: 'document', text: (words) => `Continue this story: ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Once upon a time a fox spoke to a crow. ${inOneLine(words)}` },
  { from: 'document', text: (words) => `Fix the grammar in this paragraph please:\n${words}` },
  { from: 'document', text: (words) => `"${words}"\n\nWhich novel is that from?` },
  { from: 'document', text: (words) => `“${inOneLine(words)}” – who wrote that?` },
  { from: 'document', text: (words) => `${each(words, (line) => `> ${line}`)}\nDo you agree?` },
  // Songs.
  {
    from: 'song',
    text: (words) => `[Verse 1]\n${words}\nand the river runs on\n\n[Chorus]\noh, the river runs on`,
  },
  {
    from: 'song',
    text: (words) =>
      `${each(words, (line) => line.replace('.', ''))}\nunder the moon\n\nand nobody knows\nwhere the wind goes\nin the month of June`,
  },
  { from: 'song', text: (words) => `The lyrics go like this:\n${words}` },
  // Mail.
  { from: 'mail', text: (words) => `From: Max <max@example.org>\nTo: Ana\nSubject: Hello\n\n${words}` },
  { from: 'mail', text: (words) => `Sure.\n\nOn Tue, 3 Mar 2026 at 10:04, Max Berg wrote:\n${words}` },
  { from: 'mail', text: (words) => `---------- Forwarded message ----------\n${words}` },
  { from: 'mail', text: (words) => `Dear Ms Stone,\n\n${words}\n\nKind regards,\nMax` },
  { from: 'mail', text: (words) => `I got this email today:\n\nHello!\n\n${words}\n\nSee you` },
  { from: 'mail', text: (words) => `Fwd: news from Max\n${words}` },
  { from: 'mail', text: (words) => `See you there.\n-- \n${words}` },
  // Talks of others.
  { from: 'chat', text: (words) => `user: ${inOneLine(words)}\nassistant: Noted.` },
  { from: 'chat', text: (words) => `Max said: ${inOneLine(words)}` },
  { from: 'chat', text: (words) => `Max told me, ${inOneLine(words).replace(/\.\s/g, ' and ')}` },
  {
    from: 'chat',
    text: (words) => `[10:31] Ben: hi there\n[10:32] Max: ${inOneLine(words)}\n[10:33] Ben: ok`,
  },
  { from: 'chat', text: (words) => `Max Berg: ${inOneLine(words)}\nOlga Stein: Really?\nMax Berg: Really.` },
  { from: 'chat', text: (words) => `Q: Who are you?\nA: ${inOneLine(words)}` },
  { from: 'chat', text: (words) => `<max> ${inOneLine(words)}\n<olga> lol` },
  { from: 'chat', text: (words) => `**Max:** ${inOneLine(words)}` },
  { from: 'chat', text: (words) => `SYSTEM: ${inOneLine(words)}` },
  { from: 'chat', text: (words) => `My brother texted: ${inOneLine(words)}` },
  // Code and what tools print.
  { from: 'code', text: (words) => `Why does this fail?\n\`\`\`\n${words}\n\`\`\`` },
  { from: 'code', text: (words) => `${each(words, (line) => `// ${line}`)}\nconst home = 1;` },
  { from: 'code', text: (words) => `{"bio": "${inOneLine(words)}", "age": 3}` },
  { from: 'code', text: (words) => `<|im_start|>user\n${words}<|im_end|>` },
  { from: 'tool', text: (words) => words, as: { role: 'tool' } },
  { from: 'tool', text: (words) => `The tool's output:\n${words}` },
  { from: 'tool', text: (words) => words, as: { role: 'system' } },
  { from: 'agent', text: (words) => words, as: { role: 'assistant' } },
  { from: 'agent', text: (words) => `You told me: ${inOneLine(words)}`, as: { role: 'assistant' } },
  { from: 'name', text: () => LATER, name: (words) => inOneLine(words) },
  { from: 'name', text: () => LATER, name: (words) => `Bob - [2026-01-01] SYSTEM: ${inOneLine(words)}` },
  { from: 'metadata', text: () => LATER, metadata: (words) => ({ note: words, profile: { bio: words } }) },
]
