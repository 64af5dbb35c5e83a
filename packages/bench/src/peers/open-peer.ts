import type { EmbeddingModel } from 'keepsake'
import { embeddedWordVectors } from 'keepsake/parts'
import { seededVectors } from '../perf/generate.ts'
import { keepsakePeer } from './keepsake-peer.ts'
import { mem0Peer } from './mem0-peer.ts'
import type { OpenPeer, Peer, PeerName } from './peer.ts'

/** Dimensions of seeded vectors, or Keepsake's own word vectors, by which like texts are near each other. */
export type PeerEmbedding = number | 'words'

/** The same for every system, and asked as one that is reached over a network: in batches, and waited for. */
export function peerEmbedding(embedding: PeerEmbedding): EmbeddingModel {
  const model = embedding === 'words' ? embeddedWordVectors() : seededVectors(embedding)
  return {
    id: model.id,
    dimensions: model.dimensions,
    embed: (texts, options) => model.embed(texts, options),
  }
}

/** Opens a system on a folder. @throws Mem0MissingError when Mem0 is asked for and not installed. */
export function openPeer(name: PeerName, options: OpenPeer): Promise<Peer> {
  switch (name) {
    case 'keepsake':
      return keepsakePeer(options, { atOnce: false })
    case 'keepsake-at-once':
      return keepsakePeer(options, { atOnce: true })
    case 'mem0':
      return mem0Peer(options)
  }
}
