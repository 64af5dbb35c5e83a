import type { Extractor, ProposedOperation } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import { operationsReader } from '@keepsake/papers'
import { openPreset } from './keepsake.ts'
import type { MemorySystem } from './memory-system.ts'

/** The baseline of the MMM paper (table 2): facts are only added, so contradictions stay. Requests to forget are honoured. */
export function accumulate(): MemorySystem {
  return {
    name: 'accumulate',
    config: { preset: 'mmm', operations: 'add alone' },
    needsModel: true,
    open: (opened) => {
      const preset = findPreset('mmm', { model: true })
      const branches = preset.branches.map((branch) =>
        branch.kind === 'facts' ? { ...branch, extractor: addingAlone(operationsReader()) } : branch,
      )
      return openPreset({ ...preset, name: 'accumulate', branches }, opened)
    },
  }
}

function addingAlone(reader: Extractor): Extractor {
  return {
    ...reader,
    extract: async (segment, options) => {
      const extraction = await reader.extract(segment, options)
      return { ...extraction, operations: (extraction.operations ?? []).flatMap(asAddition) }
    },
  }
}

/** A change is added as a new fact; a deletion adds nothing. */
function asAddition(operation: ProposedOperation): ProposedOperation[] {
  return operation.kind === 'delete' ? [] : [{ kind: 'add', candidate: operation.candidate }]
}
