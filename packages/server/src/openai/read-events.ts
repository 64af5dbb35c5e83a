/**
 * Reads server-sent events from bytes as they come, wherever they are cut: in a line, in a character, between the two halves
 * of a line break.
 *
 * @param most an event of more UTF-16 units is passed over.
 * @param onData given the data of each event.
 * @returns what takes the bytes.
 */
export function readEvents(most: number, onData: (data: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let length = 0
  const readLine = (line: string): void => {
    if (line === '') {
      if (data.length > 0 && length <= most) onData(data.join('\n'))
      data = []
      length = 0
    } else if (line.startsWith('data:')) {
      length += line.length
      if (length <= most) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
  }
  return (bytes) => {
    rest += decoder.decode(bytes, { stream: true })
    // A carriage return at the end may be half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
    if (rest.length > most) {
      length += rest.length
      rest = 'passed over:'
    }
  }
}
