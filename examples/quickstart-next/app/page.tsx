'use client'
import { useState, type FormEvent } from 'react'

interface Line {
  readonly who: 'you' | 'agent'
  readonly text: string
}

export default function Page() {
  const [lines, setLines] = useState<readonly Line[]>([])
  const [text, setText] = useState('')

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    const before: readonly Line[] = [...lines, { who: 'you', text }]
    setLines(before)
    setText('')
    const response = await fetch('/api/chat', { method: 'POST', body: JSON.stringify({ text }) })
    if (!response.ok || response.body === null) {
      setLines([...before, { who: 'agent', text: 'Something went wrong; the server’s log says what.' }])
      return
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let answer = ''
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      answer += piece.value
      setLines([...before, { who: 'agent', text: answer }])
    }
  }

  return (
    <main>
      <h1>A chat that remembers</h1>
      <div role="log" aria-live="polite">
        {lines.map((line, index) => (
          <p key={index}>
            <strong>{line.who}:</strong> {line.text}
          </p>
        ))}
      </div>
      <form onSubmit={(event) => void send(event)}>
        <label>
          Your words <input value={text} onChange={(event) => setText(event.target.value)} required />
        </label>{' '}
        <button>Send</button>
      </form>
    </main>
  )
}
