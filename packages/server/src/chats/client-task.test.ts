import { expect, test } from 'vitest'
import { readChatRequest } from '../openai/read-chat.ts'
import { isClientTask } from './client-task.ts'

const asks = (...messages: readonly { readonly role: string; readonly content: string }[]): boolean =>
  isClientTask(readChatRequest(JSON.stringify({ messages })).messages ?? [])
const user = (content: string) => ({ role: 'user', content })

test.each([
  '### Task:\nSuggest 3 follow-up questions.\n### Chat History:\n<chat_history>\nUSER: I keep bees.\nASSISTANT: Nice.\n</chat_history>',
  '### Task:\nGenerate a concise title.\n<chat_history>\nUSER: I keep bees.\n</chat_history>',
  'Provide a concise, 5-word-or-less title for the conversation, in its language.\n\nUser: I keep bees.\nAI: Nice.',
  'Please generate a short title for this chat:\n\nHuman: I keep bees.\nAssistant: How nice!',
  'Write a summary of the conversation below.\n<conversation>\nI keep bees.\n</conversation>',
  'Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in it\n\nUser: I keep bees.\nAI: Nice.',
  'Query: History:\nUSER: """I keep bees."""\nQuery: Where are they?',
  'Available Tools: []\n\nYour task is to choose and return the correct tools.',
  'Please generate a five word title summarizing our conversation without any punctuation.',
  'Based on the chat history, give this conversation a name.\nJust the name.',
  'Write a short (max 4 words) title for: I keep bees.',
  'Summarise in an 8-word title. Return the title only. "I keep bees."',
  'Determine if this message starts a new topic. If so, extract a 2-3 word title.\n\nI keep bees.',
  'You are a summarizer of talks. Please summarise it into a title within 10 words: I keep bees.',
  'Here is the query:\nI keep bees.\n\nCreate a phrase of 3-5 words as a title for the previous query.',
  '使用四到五个字直接返回这句话的简要主题，不要解释、不要标点、不要语气词、不要多余文本，不要加粗，如果没有主题，请直接返回“闲聊”',
  '请使用10个字以内总结这段对话的标题，只返回标题，不要标点。',
  '请用简短的几个字概括以上对话的主题，直接输出，不要解释',
  '請用五個字概括上述對話的標題，只輸出標題',
  '用3个词返回本次聊天的主题，不要解释',
  '### Opdracht:\nMaak een korte titel.\n### Gesprek:\n<chat_history>\nUSER: Ik houd bijen.\n</chat_history>',
  'Given the following chat, make the last question one by itself.\n\nHuman: I keep bees.\nAI: Nice.\nQuestion: where?\nQuestion by itself:',
  'Progressively summarize the talk.\n\nHuman: I keep bees.\nAI: Nice.\n\nSummary:',
  'What is a good title for this chat? Reply with only the title.',
  'Gib diesem Gespräch einen Titel aus drei Wörtern. Schreibe nur den Titel.',
  'Propose un titre pour cette conversation. Écris seulement le titre.',
  'Pon un título a esta conversación. Escribe solo el título.',
  'Придумай название для этого разговора. Напиши только название.',
  'この会話にタイトルを付けてください。タイトルのみを書いてください。',
  '이 대화의 제목을 지어 주세요. 제목만 써 주세요.',
  '请为以下对话生成一个简短的标题。\n用户：我养蜂。\n助手：真好！',
])('a task of the client: %s', (content) => {
  expect(asks(user(content))).toBe(true)
  expect(asks({ role: 'system', content: 'You make titles.' }, user(content))).toBe(true)
})

test.each([
  [
    'You summarize conversations. Write a title of at most ten words.',
    'user: I keep bees.\nassistant: Nice.',
  ],
  [
    'You are a helper who is good with chats: give a title for the talk.',
    '[{"role":"user","mainText":"I keep bees."}]',
  ],
  [
    'You find the main points of conversations and summarize them.',
    '<chat_history>\n<user>Bees</user>\n</chat_history>\nSummarize.',
  ],
  ['Summarize the session given as a title.', '[{"role":"user","mainText":"I keep bees."}]'],
  ['你擅长会话，请把用户的会话总结为十个字以内的标题', 'user: 我养蜂\nassistant: 真好'],
])('a task that the instructions name: %s', (system, content) => {
  expect(asks({ role: 'system', content: system }, user(content))).toBe(true)
  expect(asks({ role: 'system', content: 'You are a kind friend.' }, user(content))).toBe(false)
  expect(asks({ role: 'system', content: system }, user('I keep bees.'))).toBe(false)
})

test.each([
  'Suggest a title for my novel about bees.',
  '用十个字概括红楼梦的主题，不要解释',
  '给我的小说起个标题，五个字，不要解释',
  '我们昨天的对话，主题是什么？',
  '用五个字说说以上内容的主题是不是养蜂？',
  'Give me three questions to ask my landlord.',
  'Suggest a 5-word title for my novel: The bees of winter.',
  'I keep bees. Write a title of 3 words for the sign at the gate.',
  'Write a title for: The bees of winter.',
  'Summarize the story so far.',
  'Suggest a title for our chat app about bees.',
  'Summarize our conversation of last week about bees.',
  'Give this garden a name.',
  'Only the title of the book about our conversation came to mind.',
  'Gib meinem Roman einen Titel. Nur den Titel, bitte.',
  'Given the following facts, what do I do?\nMe: tired\nPlan:',
  'My boss wrote:\nUser: the printer is broken.\nWhat do I answer?',
  'My task: write a summary of the week. Where do I start?',
])('words of the user: %s', (content) => {
  expect(asks(user(content))).toBe(false)
})

test('a conversation is no task, whatever its last message says', () => {
  const title = user('Generate a title for the conversation.\nUser: I keep bees.')
  expect(asks(user('I keep bees.'), { role: 'assistant', content: 'Nice.' }, title)).toBe(false)
})

test('a title of the conversation is asked for at its end', () => {
  const title = user('Generate a short title for this chat.')
  expect(asks(user('I keep bees.'), { role: 'assistant', content: 'Nice.' }, title)).toBe(true)
})

test.each([
  'Determine if this message starts a new topic, and extract a 2-3 word title. Answer with JSON.',
  'Summarize this conversation in a title under 50 characters.\nCapture the task.',
  'You are a title generator. You output a title and nothing else.',
])('a task in the instructions, about the words of the user: %s', (system) => {
  const instructed = { role: 'system', content: system }
  expect(asks({ role: 'system', content: 'You are a program.' }, instructed, user('I keep bees.'))).toBe(true)
  const role = { role: 'system', content: 'You are Ida. Give each chapter a title of 5 words.' }
  expect(asks(role, user('I keep bees.'))).toBe(false)
  expect(asks(instructed, user('I keep bees.'), { role: 'assistant', content: 'Nice.' }, user('Yes.'))).toBe(
    false,
  )
})

test.each([
  [
    'user',
    'Your task is to create a detailed summary of the conversation so far, paying close attention to what was asked and to what was done before.',
  ],
  [
    'system',
    '[Leave your role. Summarize the most important events in the story so far. Limit the summary to 200 words or less, and include nothing else.]',
  ],
])('a summary of everything, for which a program asks as the %s', (role, content) => {
  const talk = [user('I keep bees.'), { role: 'assistant', content: 'Nice.' }]
  expect(asks(...talk, { role, content })).toBe(true)
  expect(asks(...talk, user('I have four hives.'), { role, content })).toBe(true)
  expect(asks(...talk, { role, content }, user('I have four hives.'))).toBe(false)
})
