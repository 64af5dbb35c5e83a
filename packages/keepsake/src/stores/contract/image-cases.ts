import { deepEqual, doesNotMatch, equal } from 'node:assert/strict'
import type { ImagePart, Store } from '../store.ts'
import type { StoreCases } from './cases.ts'
import { addOf, ADA, commitOf, eraseOf, turnOf } from './samples.ts'

function partsOf(image: string, texts: readonly string[]): ImagePart[] {
  return texts.map((text, part) => ({ image, part, parts: texts.length, bytes: Buffer.from(text) }))
}

async function readParts(store: Store, owner: number): Promise<string[]> {
  const read: string[] = []
  for (let part = 0; part < 5; part += 1) {
    const kept = await store.imagePart?.(owner, part)
    if (kept !== null && kept !== undefined)
      read.push(`${kept.image} ${kept.part}/${kept.parts} ${Buffer.from(kept.bytes).toString()}`)
  }
  return read
}

/** Images are optional: a store without them has nothing to show here. */
export const imageCases: StoreCases = {
  part: 'images',
  cases: {
    "keeps the parts of a person's image, where it can, and lets the last ones of a longer one go": async ({
      store,
      ada,
    }) => {
      if (store.putImagePart === undefined) return
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      await store.append(turnOf(ada, 't1', 'red car'))
      const version = await store.version(ada.owner)
      for (const part of partsOf('one', ['a', '', 'c\0']))
        equal(await store.putImagePart(ada.owner, part, version.epoch), true)
      deepEqual(await readParts(store, ada.owner), ['one 0/3 a', 'one 1/3 ', 'one 2/3 c\0'])
      deepEqual(await readParts(store, bob.owner), [])
      for (const part of partsOf('two', ['d', 'e'])) await store.putImagePart(ada.owner, part, version.epoch)
      deepEqual(await readParts(store, ada.owner), ['two 0/2 d', 'two 1/2 e'])
      deepEqual(await store.version(ada.owner), version)
    },

    'keeps a copy of a part: its bytes are those of the next part once it is answered': async ({
      store,
      ada,
    }) => {
      if (store.putImagePart === undefined) return
      const { epoch } = await store.version(ada.owner)
      const [image] = partsOf('one', ['rain']) as [ImagePart]
      await store.putImagePart(ada.owner, image, epoch)
      image.bytes.fill(0)
      deepEqual(await readParts(store, ada.owner), ['one 0/1 rain'])
    },

    'lets an image go with whatever of the person is erased, and takes none from before': async ({
      store,
      ada,
    }) => {
      if (store.putImagePart === undefined) return
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      const [image] = partsOf('one', ['secret']) as [ImagePart]
      for (const { owner } of [ada, bob])
        await store.putImagePart(owner, image, (await store.version(owner)).epoch)
      await store.append(turnOf(ada, 't1', 'secret'))
      const { epoch } = await store.version(ada.owner)
      await store.erase(eraseOf(ada, ['t1'], []))
      deepEqual(await readParts(store, ada.owner), [])
      equal(await store.putImagePart(ada.owner, image, epoch), false)
      deepEqual(await readParts(store, ada.owner), [])
      equal(await store.putImagePart(ada.owner, image, epoch + 1), true)
      const person = { id: 'e2', owner: ada.owner, at: 5, target: 'person' as const, operations: [] }
      await store.erase(person)
      equal(await store.putImagePart(ada.owner, image, epoch + 1), false)
      deepEqual(await readParts(store, ada.owner), [])
      deepEqual(await readParts(store, bob.owner), ['one 0/1 secret'])
    },

    'exports no image': async ({ store, ada }) => {
      if (store.putImagePart === undefined) return
      await store.commit(commitOf(ada, [addOf(ada, 'm1', 'one', [])]))
      const { epoch } = await store.version(ada.owner)
      for (const part of partsOf('one', ['secret'])) await store.putImagePart(ada.owner, part, epoch)
      for await (const row of store.exportRows(ada.owner)) doesNotMatch(JSON.stringify(row), /secret|image/)
    },
  },
}
