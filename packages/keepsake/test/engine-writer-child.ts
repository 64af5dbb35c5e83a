// Works on a memory until it is killed, and says after each call what was acknowledged.
// Arguments: the file, a seed for the order of the calls.
import { openMemory, type ScopedMemory } from 'keepsake'

const [path = '', seed = '1'] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

async function work(scope: ScopedMemory, n: number): Promise<void> {
  const session = `s${seed}-${Math.floor(n / 6)}`
  const id = `t${seed}-${n}`
  await scope.remember(
    [
      { role: 'user', text: `Number ${n}: I live in Porto and my parrot is called Kiwi${seed}x${n}.`, id },
      { role: 'assistant', text: 'How lovely.', id: `${id}a` },
    ],
    { session },
  )
  say(`turn ${id}`)
  if (n % 6 === 5) {
    await scope.endSession(session)
    say(`ended ${session}`)
  }
  if (n % 4 === 3) await scope.drain()
  if (n % 9 === 8) await scope.runForgetting({ keep: 0.6 })
  if (n % 7 === 6) {
    const victim = `t${seed}-${n - 3}`
    say(`erasing ${victim} Kiwi${seed}x${n - 3}.`)
    await scope.erase({ turns: [victim] })
    say(`erased ${victim} Kiwi${seed}x${n - 3}.`)
  }
}

const keepsake = await openMemory({ path, busyTimeoutMs: 20_000 })
const scope = keepsake.scope({ user: 'ana' })
say('ready')
for (let n = 0; ; n += 1) await work(scope, n)
