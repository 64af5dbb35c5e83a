import type { Extractor, ProposedOperation } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import { operationsReader } from '@keepsake/papers'
import { openPreset } from './keepsake.ts'
import type { MemorySystem } from './memory-system.ts'

/** Makes the baseline of the MMM paper (Table 2). It only adds facts, so contradictions stay. It still obeys requests to forget. */
export function accumulate(): MemorySystem {
  return {
    name: 'accumulate',
    config: { preset: 'mmm', operations: 'add alone' },
    needsModel: true,
    open: (opened) => {
      const preset = findPreset('mmm', { model: true })
      const branches = preset.branches.map((branch) =>
        branch.kind === 'facts' ? { ...branch, extractor: withOnlyAdditions(operationsReader()) } : branch,
      )
      return openPreset({ ...preset, name: 'accumulate', branches }, opened)
    },
  }
}

/** Wraps a reader so that it only adds. */
function withOnlyAdditions(reader: Extractor): Extractor {
  return {
    ...reader,
    extract: async (segment, options) => {
      const extraction = await reader.extract(segment, options)
      return { ...extraction, operations: (extraction.operations ?? []).flatMap(asAddition) }
    },
  }
}

/** Converts an operation to an addition. A change becomes a new fact. A deletion becomes nothing. */
function asAddition(operation: ProposedOperation): ProposedOperation[] {
  return operation.kind === 'delete' ? [] : [{ kind: 'add', candidate: operation.candidate }]
}
