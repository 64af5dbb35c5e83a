export * from './store/index.ts'
export * from './chat-history/index.ts'
