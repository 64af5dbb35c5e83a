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
  ['你擅长会话，请把用户的会话总结为十个字以内的标题', 'user: 我养蜂\nassistant: 真好'],
])('a task that the instructions name: %s', (system, content) => {
  expect(asks({ role: 'system', content: system }, user(content))).toBe(true)
  expect(asks({ role: 'system', content: 'You are a kind friend.' }, user(content))).toBe(false)
  expect(asks({ role: 'system', content: system }, user('I keep bees.'))).toBe(false)
})

test.each([
  'Suggest a title for my novel about bees.',
  'Give me three questions to ask my landlord.',
  'Suggest a title for our chat app about bees.',
  'Summarize our conversation of last week about bees.',
  'Give this garden a name.',
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
