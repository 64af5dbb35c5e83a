// Sends messages, and shows recalled memories, answers and learned facts. Sets texts as text, never as HTML.

const at = (id) => document.getElementById(id)
const form = at('form')
const said = at('said')

function make(tag, className, text) {
  const element = document.createElement(tag)
  if (className !== '') element.className = className
  element.textContent = text
  return element
}

function say(who, text) {
  const line = make('li', who, '')
  line.append(make('span', 'hidden', who === 'you' ? 'You: ' : 'Chat: '), make('span', '', text))
  at('log').append(line)
  line.scrollIntoView({ block: 'end' })
  return line.lastElementChild
}

const day = (time) => new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })

function show(list, items, write) {
  at(list).replaceChildren(...items.map(write))
  at(`${list}-none`).hidden = items.length > 0
}

function showRecalled(memories) {
  show('recalled', memories, ({ text, said, at }) => {
    const item = make('li', '', '')
    item.append(make('span', '', text))
    if (said !== null && said !== text) item.append(make('q', '', said))
    item.append(make('time', '', day(at)))
    return item
  })
}

function showLearned(facts, added = []) {
  show('learned', facts, ({ id, text, said }) => {
    const item = make('li', added.includes(id) ? 'fresh' : '', '')
    item.append(make('span', '', text))
    if (said !== null && said !== text) item.append(make('q', '', said))
    const forget = make('button', 'quiet', 'Forget')
    forget.setAttribute('aria-label', `Forget: ${text}`)
    forget.addEventListener('click', async () => {
      const { facts } = await ask('/api/forget', { memory: id })
      showLearned(facts)
      tell(`Forgotten: ${text}`)
      at('said').focus()
    })
    item.append(forget)
    return item
  })
  at('erase').hidden = facts.length === 0
}

const tell = (text) => (at('status').textContent = text)

async function ask(path, body) {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.problem)
  return answer
}

/** Parses the JSON lines of an answer as they arrive. */
async function* steps(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n')
    rest = lines.pop()
    for (const line of lines) yield JSON.parse(line)
  }
}

async function converse(text) {
  say('you', text)
  const line = say('chat', '…')
  let answer = ''
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ said: text }),
  })
  for await (const step of steps(response)) {
    if (step.kind === 'recalled') showRecalled(step.memories)
    if (step.kind === 'text') line.textContent = answer += step.text
    if (step.kind === 'failed') line.textContent = `Error: ${step.problem}`
    if (step.kind === 'learned') {
      showLearned(step.facts, step.added)
      if (step.added.length > 0) tell(`Learned ${step.added.length} new facts`)
    }
  }
}

async function send() {
  const text = said.value.trim()
  if (text === '') return
  const [button] = form.getElementsByTagName('button')
  button.disabled = true
  said.value = ''
  try {
    await converse(text)
  } catch {
    say('chat', 'The chat does not answer: is `npm start` still running?')
  } finally {
    button.disabled = false
    said.focus()
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send()
})

async function eraseAll() {
  if (!confirm('Erase everything permanently?')) return
  try {
    await ask('/api/erase', {})
  } catch {
    tell('Nothing was erased: is `npm start` still running?')
    return
  }
  showLearned([])
  showRecalled([])
  at('log').replaceChildren()
  tell('Everything was erased.')
  said.focus()
}

at('erase').addEventListener('click', () => void eraseAll())

const { model, facts } = await ask('/api/memory')
at('model').textContent = model === null ? 'replies by recall and rules' : `replies by ${model}`
showLearned(facts)
