/**
 * The types of the REST interface. Made from the server's openapi.json by `npm run generate`; not to be edited.
 */
export interface paths {
  '/v1/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What happens to everybody’s memory
     * @description Texts of conversations only for a key with `read` as well. Needs `admin`.
     */
    get: operations['listen']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Import a person
     * @description Reads an export back, all or none, under the tenant and user it carries. Refused when that person has rows already. Needs `admin`.
     */
    post: operations['importScope']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/jobs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Work that waits, or failed and why
     * @description Reasons and answers of the model, which may quote conversations, only for a key with `read` as well; answers with `answers=true`. Needs `admin`.
     */
    get: operations['listJobs']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/jobs/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Try parked jobs again
     * @description After what made them fail was mended. It happens in the background. Needs `admin`.
     */
    post: operations['retryJobs']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Whose memories there are
     * @description Erased people are not listed. Needs `admin`.
     */
    get: operations['listScopes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Erase a person
     * @description For good, in every scope; with `agent` or `app`, what that sees. No byte of a text stays in the file; the receipt, which holds none, does. Cannot be undone. Needs `erase`.
     */
    delete: operations['eraseScope']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/erase': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Erase memories, turns or sessions
     * @description For good, with everything that rests on them. All or none of what is named. Cannot be undone. Needs `erase`.
     */
    post: operations['erase']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What happens to one person’s memory
     * @description From now on; what happened before is in the histories. Needs `read`.
     */
    get: operations['listenToScope']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export a person
     * @description The whole person as JSON lines, which an import reads back exactly. An export that breaks off ends the connection before its end. Needs `read`.
     */
    get: operations['exportScope']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/forgetting': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Run the forgetting policy now
     * @description What is forgotten leaves recall, and can be restored. Needs `write`.
     */
    post: operations['runForgetting']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/memories': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Memories in order of making
     * @description Live ones when no status is named. Needs `read`.
     */
    get: operations['listMemories']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/memories/{memory}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * A memory, and why it is as it is
     * @description Needs `read`.
     */
    get: operations['getMemory']
    put?: never
    post?: never
    /**
     * Delete a memory
     * @description And what would bring it back: the utterances and summary sentences it rests on. It leaves recall, and can be restored; to have it gone for good, erase it. Needs `write`.
     */
    delete: operations['deleteMemory']
    options?: never
    head?: never
    /**
     * Correct a memory
     * @description What it said before stays in its history, valid until now. Needs `write`.
     */
    patch: operations['editMemory']
    trace?: never
  }
  '/v1/scopes/{user}/memories/{memory}/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Every operation on a memory
     * @description Oldest first, with what it was before and after. Needs `read`.
     */
    get: operations['getMemoryHistory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/memories/{memory}/pin': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Pin a memory
     * @description The forgetting policy never lets it go. Needs `write`.
     */
    put: operations['pinMemory']
    post?: never
    /**
     * Unpin a memory
     * @description The forgetting policy judges it again. Needs `write`.
     */
    delete: operations['unpinMemory']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/memories/{memory}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a memory
     * @description Brings back one that was forgotten, deleted or quarantined. Needs `write`.
     */
    post: operations['restoreMemory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/operations/{operation}/undo': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Undo an operation
     * @description And all that followed from it, unless something later changed the same. Needs `write`.
     */
    post: operations['undoOperation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/persona': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The persona sheet
     * @description What is known, by key: values, since when, and on what evidence. Needs `read`.
     */
    get: operations['getPersona']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/portrait': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The portrait, with its earlier versions
     * @description Where the preset makes one. Needs `read`.
     */
    get: operations['getPortrait']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/quarantine': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What was not believed, and why
     * @description Candidates that no turn supports, with the reason. They are not recalled. Needs `read`.
     */
    get: operations['listQuarantine']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/quarantine/{memory}/release': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Believe a quarantined memory after all
     * @description It is live from then on. Needs `write`.
     */
    post: operations['releaseMemory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/recall': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Recall what bears on a question
     * @description Memories with scores, the turns that prove them, a composed context, and how sure it is. A key without `write` strengthens nothing by it. Needs `read`.
     */
    post: operations['recall']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/reply': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Answer from memory
     * @description Answers the user’s last turn with the server’s language model from what is recalled, and remembers the exchange, whether or not anybody reads to the end. As server-sent events (`ReplyEvent`), or as JSON with `Accept: application/json`. Needs `write`.
     */
    post: operations['reply']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The sessions in order
     * @description Needs `read`.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/sessions/end': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End a session
     * @description Its rest is consolidated, it is summarised, and the forgetting policy runs: queued durably, done in the background. Ending an ended session does nothing. Needs `write`.
     */
    post: operations['endSession']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/story': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The story so far
     * @description Level by level, and the sessions’ summaries. Needs `read`.
     */
    get: operations['getStory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/scopes/{user}/turns': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remember turns
     * @description All or none, durable when it answers, at once recallable; what is drawn from them follows in the background. Needs `write`.
     */
    post: operations['remember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/stats': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Rows, bytes and settings
     * @description Needs `admin`.
     */
    get: operations['getStats']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /**
     * @example {
     *       "session": "monday"
     *     }
     */
    EndedSession: {
      /** @description As asked; null: the latest. */
      session: string | null
    }
    /**
     * @example {
     *       "session": "monday"
     *     }
     */
    EndSessionRequest: {
      /** @description The latest one when absent. */
      session?: string
    }
    /**
     * @description Says what was removed, and nothing of what it said.
     * @example {
     *       "id": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7c33",
     *       "at": "2026-05-01T18:00:00.000Z",
     *       "turns": 12,
     *       "memories": 8,
     *       "payloads": 20,
     *       "documents": 20,
     *       "scrubbedAt": "2026-05-01T18:00:00.100Z"
     *     }
     */
    EraseReceipt: {
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      at: string
      documents: number
      id: string
      memories: number
      payloads: number
      /**
       * Format: date-time
       * @description When file and journal were scrubbed; null while that is still to do.
       * @example 2026-05-01T18:00:00.000Z
       */
      scrubbedAt: string | null
      turns: number
    }
    /**
     * @example {
     *       "turns": [
     *         "monday-1"
     *       ]
     *     }
     */
    EraseTarget: {
      memories?: string[]
      sessions?: string[]
      turns?: string[]
    }
    /** @description What the memory did. Told once it is durable; what happens while nobody listens is not told later. */
    Event:
      | {
          data: {
            milliseconds: number
            scope: components['schemas']['Scope']
            session: string
            turns: string[]
          }
          /** @enum {string} */
          event: 'turns-recorded'
        }
      | {
          data: {
            /** @description As it is now; null for who may not read the scope. */
            memory: components['schemas']['Memory'] | null
            operation: components['schemas']['Operation']
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'memory-added'
        }
      | {
          data: {
            /** @description As it is now; null for who may not read the scope. */
            memory: components['schemas']['Memory'] | null
            operation: components['schemas']['Operation']
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'memory-modified'
        }
      | {
          data: {
            /** @description As it is now; null for who may not read the scope. */
            memory: components['schemas']['Memory'] | null
            operation: components['schemas']['Operation']
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'memory-deleted'
        }
      | {
          data: {
            /** @description As it is now; null for who may not read the scope. */
            memory: components['schemas']['Memory'] | null
            operation: components['schemas']['Operation']
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'memory-forgotten'
        }
      | {
          data: {
            /** @description As it is now; null for who may not read the scope. */
            memory: components['schemas']['Memory'] | null
            operation: components['schemas']['Operation']
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'memory-restored'
        }
      | {
          data: {
            operation: components['schemas']['Operation']
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'memories-reinforced'
        }
      | {
          data: {
            /** @enum {string} */
            kind: 'add' | 'modify' | 'delete'
            prompt: string
            reason: string | null
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'operation-rejected'
        }
      | {
          data: {
            /** @enum {string} */
            outcome: 'nothing' | 'unsafe'
            scope: components['schemas']['Scope']
            session: string
          }
          /** @enum {string} */
          event: 'session-not-summarised'
        }
      | {
          data: {
            forgotten: {
              memory: string
              reason: string
              strength: components['schemas']['Strength']
            }[]
            scope: components['schemas']['Scope']
            session: string
          }
          /** @enum {string} */
          event: 'session-ended'
        }
      | {
          data: {
            confidence: number
            memories: string[]
            milliseconds: number
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'recall-answered'
        }
      | {
          data: {
            attempts: number
            inputTokens: number | null
            milliseconds: number
            model: string
            /** @enum {string} */
            outcome:
              | 'answered'
              | 'repaired'
              | 'unusable'
              | 'refused'
              | 'failed'
              | 'timed-out'
              | 'over-budget'
              | 'aborted'
            outputTokens: number | null
            prompt: string
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'model-called'
        }
      | {
          data: {
            attempts: number
            error: {
              code: string
              /** @description null for who may not read the scope. */
              message: string | null
            }
            job: string
            parked: boolean
            scope: components['schemas']['Scope']
          }
          /** @enum {string} */
          event: 'job-failed'
        }
      | {
          data: {
            error: {
              code: string
              /** @description null for who may not read the scope. */
              message: string | null
            }
          }
          /** @enum {string} */
          event: 'background-failed'
        }
      | {
          data: {
            receipt: components['schemas']['EraseReceipt']
          }
          /** @enum {string} */
          event: 'scope-erased'
        }
    /** @description A turn that supports a memory, and the words in it that do. */
    Evidence: {
      /** @description The supporting words; null for the whole turn, or once they were withdrawn. */
      quote: string | null
      turn: string
    }
    /**
     * @description A memory, and why it is as it is.
     * @example {
     *       "memory": {
     *         "id": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10",
     *         "agent": null,
     *         "app": null,
     *         "form": "fact",
     *         "type": "persona",
     *         "subject": "user",
     *         "text": "The user lives in Lyon.",
     *         "key": "residence",
     *         "value": "Lyon",
     *         "level": 0,
     *         "label": "user-stated",
     *         "evidence": [
     *           {
     *             "turn": "monday-1",
     *             "quote": "I moved to Lyon"
     *           }
     *         ],
     *         "sources": [],
     *         "status": "live",
     *         "reason": null,
     *         "pinned": false,
     *         "learnedAt": "2026-05-01T18:00:00.000Z",
     *         "validFrom": "2026-05-01T18:00:00.000Z",
     *         "validUntil": null,
     *         "past": [],
     *         "session": "monday",
     *         "sessionNumber": 1,
     *         "round": 1,
     *         "signals": {
     *           "arousal": 3.1,
     *           "surprise": 88,
     *           "importance": 4
     *         },
     *         "use": {
     *           "first": 0,
     *           "second": 0,
     *           "rounds": [],
     *           "lastSession": 1,
     *           "lastAt": "2026-05-01T18:00:00.000Z"
     *         },
     *         "origin": {
     *           "preset": "keepsake",
     *           "step": "persona-rules-en/1",
     *           "promptVersion": null,
     *           "model": null
     *         },
     *         "name": null,
     *         "metadata": {
     *           "topic": "home"
     *         }
     *       },
     *       "sentences": [
     *         "It rests on turn monday-1 (user-stated).",
     *         "It is live.",
     *         "Kept: nothing is let go here."
     *       ],
     *       "policy": {
     *         "name": "keepsake",
     *         "formula": "strength = importance × recency"
     *       },
     *       "strength": {
     *         "value": 2.31,
     *         "parts": {
     *           "importance": 0.4,
     *           "recency": 0.93
     *         }
     *       },
     *       "rank": 3,
     *       "of": 31
     *     }
     */
    Explanation: {
      memory: components['schemas']['Memory']
      of: number
      policy: {
        formula: string
        name: string
      }
      /** @description Place by strength, from 1. */
      rank: number | null
      /** @description In plain sentences: what it rests on, what holds it. */
      sentences: string[]
      /** @description null for what the policy does not judge. */
      strength: components['schemas']['Strength'] | null
    }
    /**
     * @example {
     *       "dryRun": true,
     *       "keep": 0.5
     *     }
     */
    ForgettingRequest: {
      /** @description Keep at most so many, instead of what the preset says. */
      capacity?: {
        characters?: number
        memories?: number
      }
      /** @description Only tell what would be let go. */
      dryRun?: boolean
      /** @description Keep this share of all ever made, instead of what the preset says. */
      keep?: number
    }
    /**
     * @description What a run of the policy did, or would do.
     * @example {
     *       "policy": "keepsake",
     *       "considered": 31,
     *       "kept": 31,
     *       "forgotten": [],
     *       "dryRun": true
     *     }
     */
    ForgettingResult: {
      considered: number
      dryRun: boolean
      forgotten: {
        memory: string
        reason: string
        strength: components['schemas']['Strength']
      }[]
      kept: number
      policy: string
    }
    /**
     * @example {
     *       "operations": [
     *         {
     *           "id": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7b22",
     *           "sequence": 12,
     *           "agent": null,
     *           "app": null,
     *           "kind": "modify",
     *           "memory": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10",
     *           "at": "2026-05-01T18:00:00.000Z",
     *           "origin": {
     *             "preset": "keepsake",
     *             "step": "api",
     *             "promptVersion": null,
     *             "model": null
     *           },
     *           "parent": null,
     *           "undoes": null,
     *           "touched": [],
     *           "sessionNumber": 1,
     *           "round": 1,
     *           "payload": {
     *             "before": {
     *               "text": "The user lives in Porto."
     *             },
     *             "after": {
     *               "text": "The user lives in Lyon."
     *             }
     *           }
     *         }
     *       ]
     *     }
     */
    History: {
      operations: components['schemas']['PastOperation'][]
    }
    /**
     * @example {
     *       "scopes": [
     *         {
     *           "tenant": "default",
     *           "user": "ana",
     *           "agent": null,
     *           "app": null
     *         }
     *       ]
     *     }
     */
    Imported: {
      scopes: components['schemas']['Scope'][]
    }
    /** @description Work that waits, or failed for good and was parked. */
    Job: {
      /** @description What the model answered, raw; only with `answers=true`. */
      answer?: string | null
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      at: string
      attempts: number
      branch: string | null
      from: number | null
      id: string
      /** @enum {string} */
      kind: 'consolidate' | 'end-session' | 'read-segment'
      /** @description Why it failed; null for a key that may not read every scope. */
      reason: string | null
      scope: components['schemas']['Scope'] | null
      session: string | null
      /** @enum {string} */
      state: 'queued' | 'parked'
      to: number | null
    }
    /**
     * @example {
     *       "jobs": [],
     *       "next": null
     *     }
     */
    JobPage: {
      jobs: components['schemas']['Job'][]
      next: string | null
    }
    /**
     * @description One plain statement kept about a scope, with its evidence.
     * @example {
     *       "id": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10",
     *       "agent": null,
     *       "app": null,
     *       "form": "fact",
     *       "type": "persona",
     *       "subject": "user",
     *       "text": "The user lives in Lyon.",
     *       "key": "residence",
     *       "value": "Lyon",
     *       "level": 0,
     *       "label": "user-stated",
     *       "evidence": [
     *         {
     *           "turn": "monday-1",
     *           "quote": "I moved to Lyon"
     *         }
     *       ],
     *       "sources": [],
     *       "status": "live",
     *       "reason": null,
     *       "pinned": false,
     *       "learnedAt": "2026-05-01T18:00:00.000Z",
     *       "validFrom": "2026-05-01T18:00:00.000Z",
     *       "validUntil": null,
     *       "past": [],
     *       "session": "monday",
     *       "sessionNumber": 1,
     *       "round": 1,
     *       "signals": {
     *         "arousal": 3.1,
     *         "surprise": 88,
     *         "importance": 4
     *       },
     *       "use": {
     *         "first": 0,
     *         "second": 0,
     *         "rounds": [],
     *         "lastSession": 1,
     *         "lastAt": "2026-05-01T18:00:00.000Z"
     *       },
     *       "origin": {
     *         "preset": "keepsake",
     *         "step": "persona-rules-en/1",
     *         "promptVersion": null,
     *         "model": null
     *       },
     *       "name": null,
     *       "metadata": {
     *         "topic": "home"
     *       }
     *     }
     */
    Memory: {
      /** @description The agent whose scope it is in. */
      agent: string | null
      /** @description The app whose scope it is in. */
      app: string | null
      evidence: components['schemas']['Evidence'][]
      /** @enum {string} */
      form: 'utterance' | 'fact' | 'summary' | 'story' | 'portrait' | 'note'
      id: string
      /** @description Its key on the persona sheet. */
      key: string | null
      /**
       * @description Whose word it rests on.
       * @enum {string}
       */
      label: 'user-stated' | 'user-confirmed' | 'agent-stated' | 'other'
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      learnedAt: string
      /** @description Level of the story, from 1; 0 for all else. */
      level: number
      /** @description What the application keeps with it. */
      metadata: {
        [key: string]: unknown
      } | null
      /** @description The application’s own name for a note. */
      name: string | null
      origin: components['schemas']['Origin']
      past: components['schemas']['PastVersion'][]
      pinned: boolean
      /** @description Why it is quarantined, deleted or forgotten. */
      reason: string | null
      round: number
      session: string
      sessionNumber: number
      signals: {
        arousal: number | null
        importance: number | null
        surprise: number | null
      }
      /** @description Ids of the memories it was made from. */
      sources: string[]
      /** @enum {string} */
      status: 'live' | 'quarantined' | 'deleted' | 'forgotten' | 'erased'
      /** @description Whom it is about: `user`, `agent`, or a name. */
      subject: string
      text: string
      /** @enum {string} */
      type: 'persona' | 'event' | 'relationship'
      use: {
        first: number
        /**
         * Format: date-time
         * @example 2026-05-01T18:00:00.000Z
         */
        lastAt: string
        lastSession: number
        rounds: number[]
        second: number
      }
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      validFrom: string
      /**
       * Format: date-time
       * @description null while it is still so.
       * @example 2026-05-01T18:00:00.000Z
       */
      validUntil: string | null
      value: string | null
    }
    /** @description The fields of a memory that an operation sets. */
    MemoryChange: {
      evidence?: components['schemas']['Evidence'][]
      /** @enum {string} */
      form?: 'utterance' | 'fact' | 'summary' | 'story' | 'portrait' | 'note'
      /** @description Its key on the persona sheet. */
      key?: string | null
      /**
       * @description Whose word it rests on.
       * @enum {string}
       */
      label?: 'user-stated' | 'user-confirmed' | 'agent-stated' | 'other'
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      learnedAt?: string
      /** @description Level of the story, from 1; 0 for all else. */
      level?: number
      /** @description What the application keeps with it. */
      metadata?: {
        [key: string]: unknown
      } | null
      /** @description The application’s own name for a note. */
      name?: string | null
      origin?: components['schemas']['Origin']
      past?: components['schemas']['PastVersion'][]
      pinned?: boolean
      /** @description Why it is quarantined, deleted or forgotten. */
      reason?: string | null
      round?: number
      session?: string
      sessionNumber?: number
      signals?: {
        arousal: number | null
        importance: number | null
        surprise: number | null
      }
      /** @description Ids of the memories it was made from. */
      sources?: string[]
      /** @enum {string} */
      status?: 'live' | 'quarantined' | 'deleted' | 'forgotten' | 'erased'
      /** @description Whom it is about: `user`, `agent`, or a name. */
      subject?: string
      text?: string
      /** @enum {string} */
      type?: 'persona' | 'event' | 'relationship'
      use?: {
        first: number
        /**
         * Format: date-time
         * @example 2026-05-01T18:00:00.000Z
         */
        lastAt: string
        lastSession: number
        rounds: number[]
        second: number
      }
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      validFrom?: string
      /**
       * Format: date-time
       * @description null while it is still so.
       * @example 2026-05-01T18:00:00.000Z
       */
      validUntil?: string | null
      value?: string | null
    }
    /**
     * @example {
     *       "text": "The user lives in Lyon, on the Croix-Rousse."
     *     }
     */
    MemoryEdit: {
      /**
       * @description In place of what was kept with it; null for nothing.
       * @example {
       *       "topic": "travel"
       *     }
       */
      metadata?: {
        [key: string]: unknown
      } | null
      text?: string
      /** @enum {string} */
      type?: 'persona' | 'event' | 'relationship'
      /** @description The persona value, for facts with a key. */
      value?: string
    }
    /**
     * @example {
     *       "memories": [
     *         {
     *           "id": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10",
     *           "agent": null,
     *           "app": null,
     *           "form": "fact",
     *           "type": "persona",
     *           "subject": "user",
     *           "text": "The user lives in Lyon.",
     *           "key": "residence",
     *           "value": "Lyon",
     *           "level": 0,
     *           "label": "user-stated",
     *           "evidence": [
     *             {
     *               "turn": "monday-1",
     *               "quote": "I moved to Lyon"
     *             }
     *           ],
     *           "sources": [],
     *           "status": "live",
     *           "reason": null,
     *           "pinned": false,
     *           "learnedAt": "2026-05-01T18:00:00.000Z",
     *           "validFrom": "2026-05-01T18:00:00.000Z",
     *           "validUntil": null,
     *           "past": [],
     *           "session": "monday",
     *           "sessionNumber": 1,
     *           "round": 1,
     *           "signals": {
     *             "arousal": 3.1,
     *             "surprise": 88,
     *             "importance": 4
     *           },
     *           "use": {
     *             "first": 0,
     *             "second": 0,
     *             "rounds": [],
     *             "lastSession": 1,
     *             "lastAt": "2026-05-01T18:00:00.000Z"
     *           },
     *           "origin": {
     *             "preset": "keepsake",
     *             "step": "persona-rules-en/1",
     *             "promptVersion": null,
     *             "model": null
     *           },
     *           "name": null,
     *           "metadata": {
     *             "topic": "home"
     *           }
     *         }
     *       ],
     *       "next": null
     *     }
     */
    MemoryPage: {
      memories: components['schemas']['Memory'][]
      next: string | null
    }
    /**
     * @description An entry of the log: ids and kinds, and nothing of what was said.
     * @example {
     *       "id": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7b22",
     *       "sequence": 12,
     *       "agent": null,
     *       "app": null,
     *       "kind": "modify",
     *       "memory": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10",
     *       "at": "2026-05-01T18:00:00.000Z",
     *       "origin": {
     *         "preset": "keepsake",
     *         "step": "api",
     *         "promptVersion": null,
     *         "model": null
     *       },
     *       "parent": null,
     *       "undoes": null,
     *       "touched": [],
     *       "sessionNumber": 1,
     *       "round": 1
     *     }
     */
    Operation: {
      agent: string | null
      app: string | null
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      at: string
      id: string
      /** @enum {string} */
      kind: 'add' | 'modify' | 'delete' | 'forget' | 'restore' | 'reinforce' | 'erase'
      /** @description null for `reinforce`, which touches several. */
      memory: string | null
      origin: components['schemas']['Origin']
      /** @description The operation that this one follows from. */
      parent: string | null
      round: number
      /** @description Its place in the person’s log, rising from 1. */
      sequence: number
      sessionNumber: number
      touched: {
        memory: string
        /** @enum {string} */
        rank: 'first' | 'second'
      }[]
      /** @description The operation that this one undoes. */
      undoes: string | null
    }
    /** @description What made a memory or an operation. */
    Origin: {
      model: string | null
      preset: string
      promptVersion: string | null
      step: string
    }
    /** @description An entry of the log with its texts. */
    PastOperation: {
      agent: string | null
      app: string | null
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      at: string
      id: string
      /** @enum {string} */
      kind: 'add' | 'modify' | 'delete' | 'forget' | 'restore' | 'reinforce' | 'erase'
      /** @description null for `reinforce`, which touches several. */
      memory: string | null
      origin: components['schemas']['Origin']
      /** @description The operation that this one follows from. */
      parent: string | null
      /** @description The memory before and after; null once erased, and where the kind needs none. */
      payload: {
        after: components['schemas']['MemoryChange']
        before: components['schemas']['MemoryChange'] | null
      } | null
      round: number
      /** @description Its place in the person’s log, rising from 1. */
      sequence: number
      sessionNumber: number
      touched: {
        memory: string
        /** @enum {string} */
        rank: 'first' | 'second'
      }[]
      /** @description The operation that this one undoes. */
      undoes: string | null
    }
    /** @description A statement that the memory no longer makes. */
    PastVersion: {
      evidence: components['schemas']['Evidence'][]
      text: string
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      validFrom: string
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      validUntil: string
      value: string | null
    }
    PersonaKey: {
      id: string
      /** @enum {string} */
      merge: 'replace' | 'append' | 'trajectory' | 'contradictory' | 'complex'
      names: {
        en: string[]
        zh: string[]
      }
      opposite: string | null
      /** @enum {string} */
      partOf: 'same' | 'other'
      repeats: boolean
      /** @enum {string} */
      type: 'persona' | 'event' | 'relationship'
    }
    /**
     * @description What is known of each person, by key; the user first.
     * @example {
     *       "subjects": []
     *     }
     */
    PersonaSheet: {
      subjects: {
        entries: {
          key: components['schemas']['PersonaKey']
          values: components['schemas']['PersonaValue'][]
        }[]
        subject: string
      }[]
    }
    PersonaValue: {
      ageMs: number
      ageRounds: number | null
      evidence: components['schemas']['Evidence'][]
      /** @description A value it had before, not one of today. */
      isPast: boolean
      /** @enum {string} */
      label: 'user-stated' | 'user-confirmed' | 'agent-stated' | 'other'
      memory: string
      text: string
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      validFrom: string
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      validUntil: string | null
      value: string
    }
    /**
     * @description The compressed whole: user, relationship, events.
     * @example {
     *       "current": null,
     *       "versions": []
     *     }
     */
    Portrait: {
      /** @description The newest version; null while there is none. */
      current: components['schemas']['Memory'] | null
      /** @description All versions, oldest first. */
      versions: components['schemas']['Memory'][]
    }
    /**
     * @example {
     *       "type": "about:blank",
     *       "title": "Unprocessable Content",
     *       "status": 422,
     *       "detail": "The request cannot be taken: body.turns.0.txt is not a field of this.",
     *       "code": "invalid-input",
     *       "request": "0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10",
     *       "fields": [
     *         {
     *           "field": "body.turns.0.txt",
     *           "problem": "is not a field of this"
     *         }
     *       ]
     *     }
     */
    Problem: {
      /** @description For programs: stable, kebab-case. */
      code: string
      /** @description What is wrong and what to do. */
      detail: string
      fields?: {
        /** @description Where: `body.turns.0.text`, `query.limit`, `path.user`. */
        field: string
        problem: string
      }[]
      /** @description The request’s id, as in `X-Request-Id` and the server’s log. */
      request: string
      status: number
      title: string
      type: string
    }
    /**
     * @example {
     *       "question": "Where does Ana live?",
     *       "memories": [],
     *       "sessions": [
     *         {
     *           "session": "monday",
     *           "score": 1.8
     *         }
     *       ],
     *       "context": {
     *         "text": "- 2026-05-01: The user lives in Lyon.",
     *         "tokens": 14,
     *         "memories": 1
     *       },
     *       "confidence": 0.93,
     *       "known": true,
     *       "milliseconds": 4.2
     *     }
     */
    Recall: {
      /** @description Probability that what was asked was ever said, 0 to 1. */
      confidence: number
      /** @description What to hand to a language model. */
      context: {
        memories: number
        text: string
        tokens: number
      }
      /** @description `false`: better say “I don’t know” than answer. */
      known: boolean
      memories: components['schemas']['RecalledMemory'][]
      milliseconds: number
      question: string
      sessions: {
        score: number
        session: string
      }[]
    }
    RecalledEvidence: {
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      at: string
      /** @description What the application keeps with it. */
      metadata: {
        [key: string]: unknown
      } | null
      /** @enum {string} */
      role: 'user' | 'agent' | 'other'
      score: number
      session: string
      speaker: string | null
      /** @description null when it may no longer be shown. */
      text: string | null
      timeZone: string | null
      turn: string
    }
    RecalledMemory: {
      evidence: components['schemas']['RecalledEvidence'][]
      memory: components['schemas']['Memory']
      /** @description What the score is made of; they add up to it. */
      parts: {
        [key: string]: number
      }
      /** @description A turn not yet consolidated; its memory’s id does not last. */
      pending: boolean
      /** @description Higher is better; comparable within one recall. */
      score: number
    }
    /**
     * @example {
     *       "question": "Where does Ana live?",
     *       "limit": 5
     *     }
     */
    RecallRequest: {
      /**
       * Format: date-time
       * @description Answer from what was known and true then.
       * @example 2026-05-01T18:00:00.000Z
       */
      asOf?: string
      forms?: ('utterance' | 'fact' | 'summary' | 'story' | 'portrait' | 'note')[]
      /** @description Memories to return at most; the preset’s own number when absent. */
      limit?: number
      /**
       * Format: date-time
       * @description The moment of asking; the clock when absent.
       * @example 2026-05-01T18:00:00.000Z
       */
      now?: string
      /** @description A question, or the talk’s last turn. */
      question: string
      /** @description Whether this strengthens what it returns; as the preset says when absent. */
      reinforce?: boolean
      /** @description Who asks, when several people are remembered. */
      speaker?: string
      /**
       * @description The asker’s time zone.
       * @example Europe/Paris
       */
      timeZone?: string
      /** @description Token budget of the composed context; 1,000 when absent. */
      tokens?: number
      types?: ('persona' | 'event' | 'relationship')[]
      /**
       * @description Only those whose metadata is meant: a condition on a field, `{path, is}`, with `is`, `in`, `exists`, `above`, `atLeast`, `below`, `atMost` or `contains`; or `{all: […]}`, `{any: […]}`, `{not: …}` of these.
       * @example {
       *       "path": "topic",
       *       "is": "travel"
       *     }
       */
      where?: {
        [key: string]: unknown
      }
    }
    /**
     * @example {
     *       "turns": [
     *         "monday-1",
     *         "monday-2"
     *       ],
     *       "added": 2,
     *       "session": "monday",
     *       "logged": 12,
     *       "masked": []
     *     }
     */
    Remembered: {
      /** @description How many were new. */
      added: number
      /** @description Place of the last operation in the person’s log then; what comes of the turns comes after it. */
      logged: number
      /** @description Secrets masked before storage, by kind. */
      masked: {
        count: number
        kind: string
      }[]
      session: string | null
      /** @description Ids of the turns, in the order given. */
      turns: string[]
    }
    /**
     * @example {
     *       "turns": [
     *         {
     *           "role": "user",
     *           "text": "I moved to Lyon last week."
     *         },
     *         {
     *           "role": "agent",
     *           "text": "How is the new flat?"
     *         }
     *       ],
     *       "session": "monday"
     *     }
     */
    RememberRequest: {
      /** @description Without one, a silence longer than the preset’s gap starts a new one. */
      session?: string
      turns: components['schemas']['TurnInput'][]
    }
    /**
     * @description An answer from memory, and what it rests on.
     * @example {
     *       "text": "You left it at the station.",
     *       "recall": {
     *         "question": "Where does Ana live?",
     *         "memories": [],
     *         "sessions": [
     *           {
     *             "session": "monday",
     *             "score": 1.8
     *           }
     *         ],
     *         "context": {
     *           "text": "- 2026-05-01: The user lives in Lyon.",
     *           "tokens": 14,
     *           "memories": 1
     *         },
     *         "confidence": 0.93,
     *         "known": true,
     *         "milliseconds": 4.2
     *       },
     *       "remembered": {
     *         "turns": [
     *           "monday-4"
     *         ],
     *         "added": 1,
     *         "session": "monday",
     *         "logged": 12,
     *         "masked": []
     *       }
     *     }
     */
    Reply: {
      recall: components['schemas']['Recall']
      /** @description null when it was not to be remembered. */
      remembered: components['schemas']['Remembered'] | null
      text: string
    }
    /** @description An event of a streamed reply: `recall` first, then `text` in pieces, and `end` once the exchange is durable, or `error`. */
    ReplyEvent:
      | {
          data: components['schemas']['Recall']
          /** @enum {string} */
          event: 'recall'
        }
      | {
          data: {
            text: string
          }
          /** @enum {string} */
          event: 'text'
        }
      | {
          data: {
            remembered: components['schemas']['Remembered'] | null
          }
          /** @enum {string} */
          event: 'end'
        }
      | {
          data: components['schemas']['Problem']
          /** @enum {string} */
          event: 'error'
        }
    /**
     * @example {
     *       "turns": [
     *         {
     *           "role": "user",
     *           "text": "Where did I leave my bike?"
     *         }
     *       ],
     *       "session": "monday"
     *     }
     */
    ReplyRequest: {
      /** @description The agent’s name, kept as the speaker of its reply. */
      agent?: string
      /** @description Who the agent is and how it speaks: the application’s own words. Trusted. */
      instructions?: string
      /** @description Memories to return at most; the preset’s own number when absent. */
      limit?: number
      /**
       * Format: date-time
       * @description The moment of asking; the clock when absent.
       * @example 2026-05-01T18:00:00.000Z
       */
      now?: string
      /** @description Whether this strengthens what it returns; as the preset says when absent. */
      reinforce?: boolean
      /** @description `false`: neither turns nor reply are remembered. */
      remember?: boolean
      session?: string
      /** @description Who asks, when several people are remembered. */
      speaker?: string
      /**
       * @description The asker’s time zone.
       * @example Europe/Paris
       */
      timeZone?: string
      /** @description Token budget of the composed context; 1,000 when absent. */
      tokens?: number
      /** @description The new turns, the user’s last; the running session’s earlier ones are added from memory. */
      turns: components['schemas']['TurnInput'][]
    }
    /**
     * @example {
     *       "retried": 3
     *     }
     */
    RetriedJobs: {
      retried: number
    }
    /**
     * @description Whose memory it is.
     * @example {
     *       "tenant": "default",
     *       "user": "ana",
     *       "agent": null,
     *       "app": null
     *     }
     */
    Scope: {
      agent: string | null
      app: string | null
      tenant: string
      user: string
    }
    /**
     * @example {
     *       "scopes": [
     *         {
     *           "tenant": "default",
     *           "user": "ana",
     *           "agent": null,
     *           "app": null
     *         }
     *       ],
     *       "next": null
     *     }
     */
    ScopePage: {
      next: string | null
      scopes: components['schemas']['Scope'][]
    }
    /**
     * @description A run of turns that belong together.
     * @example {
     *       "id": "monday",
     *       "agent": null,
     *       "app": null,
     *       "number": 1,
     *       "startedAt": "2026-05-01T18:00:00.000Z",
     *       "lastAt": "2026-05-01T18:20:00.000Z",
     *       "endedAt": null
     *     }
     */
    Session: {
      agent: string | null
      app: string | null
      /**
       * Format: date-time
       * @description null while it is open.
       * @example 2026-05-01T18:00:00.000Z
       */
      endedAt: string | null
      id: string
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      lastAt: string
      /** @description 1 for the scope’s first. */
      number: number
      /**
       * Format: date-time
       * @example 2026-05-01T18:00:00.000Z
       */
      startedAt: string
    }
    /**
     * @example {
     *       "sessions": [
     *         {
     *           "id": "monday",
     *           "agent": null,
     *           "app": null,
     *           "number": 1,
     *           "startedAt": "2026-05-01T18:00:00.000Z",
     *           "lastAt": "2026-05-01T18:20:00.000Z",
     *           "endedAt": null
     *         }
     *       ],
     *       "next": null
     *     }
     */
    SessionPage: {
      next: string | null
      sessions: components['schemas']['Session'][]
    }
    /**
     * @example {
     *       "owners": 2,
     *       "scopes": 3,
     *       "sessions": 14,
     *       "turns": 310,
     *       "operations": 402,
     *       "memories": {
     *         "live": 205,
     *         "quarantined": 3,
     *         "deleted": 4,
     *         "forgotten": 0,
     *         "erased": 0
     *       },
     *       "jobs": 0,
     *       "bytes": 1310720,
     *       "schema": 1,
     *       "preset": "keepsake",
     *       "embedder": "embedded/1",
     *       "cacheBytes": 482304
     *     }
     */
    Stats: {
      /** @description Size of database and journal together. */
      bytes: number
      cacheBytes: number
      embedder: string
      jobs: number
      memories: {
        deleted: number
        erased: number
        forgotten: number
        live: number
        quarantined: number
      }
      operations: number
      /** @description People. */
      owners: number
      preset: string
      schema: number
      scopes: number
      sessions: number
      turns: number
    }
    /**
     * @description The story so far: level 1 are raw units, 0 the sessions’ summaries.
     * @example {
     *       "levels": []
     *     }
     */
    Story: {
      levels: {
        level: number
        units: components['schemas']['Memory'][]
      }[]
    }
    /**
     * @description How strongly a memory holds, in the parts of the policy’s formula.
     * @example {
     *       "value": 2.31,
     *       "parts": {
     *         "importance": 0.4,
     *         "recency": 0.93
     *       }
     *     }
     */
    Strength: {
      parts: {
        [key: string]: number
      }
      value: number
    }
    /**
     * @example {
     *       "role": "user",
     *       "text": "I moved to Lyon last week.",
     *       "at": "2026-05-01T18:00:00.000Z"
     *     }
     */
    TurnInput: {
      /**
       * Format: date-time
       * @description When it was said; now when absent.
       * @example 2026-05-01T18:00:00.000Z
       */
      at?: string
      /** @description Makes remembering idempotent: a turn whose id is known is not stored again. */
      id?: string
      /**
       * @description What the application keeps with it, as JSON.
       * @example {
       *       "topic": "travel"
       *     }
       */
      metadata?: {
        [key: string]: unknown
      }
      /** @description `false`: do not store this turn. */
      remember?: boolean
      /**
       * @description `assistant` is taken as `agent`; `system` and `tool` as `other`.
       * @enum {string}
       */
      role: 'user' | 'agent' | 'other' | 'assistant' | 'system' | 'tool'
      speaker?: string
      text: string
      /** @example Europe/Paris */
      timeZone?: string
    }
  }
  responses: {
    /** @description The address or body is malformed. */
    Problem400: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description No key, or one that is not known. */
    Problem401: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The key does not open this scope for this action. */
    Problem403: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description Nothing with that id here. */
    Problem404: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The body did not come in time. */
    Problem408: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description What is there does not allow it, or the id or key was used for something else. */
    Problem409: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The body is too large. */
    Problem413: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The body is of another media type. */
    Problem415: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description A field cannot be taken; `fields` names it. */
    Problem422: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description Too many requests, or the model’s budget is spent; `Retry-After` says when to try again. */
    Problem429: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description Something failed inside the server. */
    Problem500: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The language model failed. */
    Problem502: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The store is busy or the server shuts down; try again after `Retry-After`. */
    Problem503: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    /** @description The server has no room left. */
    Problem507: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
  }
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listen: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Server-sent events, until the listener goes away or the server stops. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': string
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  importScope: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/x-ndjson': string
      }
    }
    responses: {
      /** @description The scopes that were made. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Imported']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
      507: components['responses']['Problem507']
    }
  }
  listJobs: {
    parameters: {
      query?: {
        answers?: boolean
        /** @description Where to go on: `next` of the page before. */
        cursor?: string
        /** @description How many at most; 100 when absent. */
        limit?: number
        state?: 'queued' | 'parked'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Jobs, oldest first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['JobPage']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  retryJobs: {
    parameters: {
      query?: never
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description They are queued again. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RetriedJobs']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  listScopes: {
    parameters: {
      query?: {
        /** @description Where to go on: `next` of the page before. */
        cursor?: string
        /** @description How many at most; 100 when absent. */
        limit?: number
        tenant?: string
        user?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Scopes in the order they were made. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScopePage']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  eraseScope: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The receipt. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EraseReceipt']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  erase: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EraseTarget']
      }
    }
    responses: {
      /** @description The receipt. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EraseReceipt']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  listenToScope: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Server-sent events, until the listener goes away or the server stops. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': string
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  exportScope: {
    parameters: {
      query?: {
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description JSON lines, as they are read. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/x-ndjson': string
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  runForgetting: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ForgettingRequest']
      }
    }
    responses: {
      /** @description What was let go, or would be. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ForgettingResult']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  listMemories: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description Only those whose text holds this, in any case. To search by meaning, recall. */
        contains?: string
        /** @description Where to go on: `next` of the page before. */
        cursor?: string
        forms?: ('utterance' | 'fact' | 'summary' | 'story' | 'portrait' | 'note')[]
        /** @description How many at most; 100 when absent. */
        limit?: number
        session?: string
        statuses?: ('live' | 'quarantined' | 'deleted' | 'forgotten' | 'erased')[]
        /** @description `default` when absent. */
        tenant?: string
        types?: ('persona' | 'event' | 'relationship')[]
        /** @description The user, where the path has `%20`. */
        user?: string
        /** @description As `where` of a recall, written as JSON. */
        where?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of memories. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryPage']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  getMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The memory with its explanation. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Explanation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  deleteMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  editMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['MemoryEdit']
      }
    }
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  getMemoryHistory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operations. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['History']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  pinMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  unpinMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  restoreMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  undoOperation: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The operation’s id. */
        operation: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  getPersona: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The sheet. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PersonaSheet']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  getPortrait: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The portrait. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Portrait']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  listQuarantine: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description Where to go on: `next` of the page before. */
        cursor?: string
        /** @description How many at most; 100 when absent. */
        limit?: number
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of quarantined memories. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryPage']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  releaseMemory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description The memory’s id. */
        memory: string
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operation that did it; undo it by its id. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Operation']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      409: components['responses']['Problem409']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  recall: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RecallRequest']
      }
    }
    responses: {
      /** @description What memory holds on it. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Recall']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      408: components['responses']['Problem408']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      502: components['responses']['Problem502']
      503: components['responses']['Problem503']
    }
  }
  reply: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplyRequest']
      }
    }
    responses: {
      /** @description The answer, as it comes or whole. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Reply']
          'text/event-stream': string
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      502: components['responses']['Problem502']
      503: components['responses']['Problem503']
      507: components['responses']['Problem507']
    }
  }
  listSessions: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description Where to go on: `next` of the page before. */
        cursor?: string
        /** @description How many at most; 100 when absent. */
        limit?: number
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Sessions, scope by scope in the order they were begun. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SessionPage']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  endSession: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['EndSessionRequest']
      }
    }
    responses: {
      /** @description Its end is queued. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EndedSession']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      404: components['responses']['Problem404']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  getStory: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: never
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The story. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Story']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
  remember: {
    parameters: {
      query?: {
        /** @description Only what this agent sees; all of the person’s when absent. */
        agent?: string
        /** @description Only what this app sees. */
        app?: string
        /** @description `default` when absent. */
        tenant?: string
        /** @description The user, where the path has `%20`. */
        user?: string
      }
      header?: {
        /** @description The same request under the same key is done once and answered the same; another one is refused (409). */
        'idempotency-key'?: string
      }
      path: {
        /** @description Whose memory, percent-encoded. Addresses cannot hold the names `.` and `..`: for those write `%20` here, and the name as the query’s `user`. */
        user: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RememberRequest']
      }
    }
    responses: {
      /** @description The turns are durable. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Remembered']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      408: components['responses']['Problem408']
      409: components['responses']['Problem409']
      413: components['responses']['Problem413']
      415: components['responses']['Problem415']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
      507: components['responses']['Problem507']
    }
  }
  getStats: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The figures. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Stats']
        }
      }
      400: components['responses']['Problem400']
      401: components['responses']['Problem401']
      403: components['responses']['Problem403']
      422: components['responses']['Problem422']
      429: components['responses']['Problem429']
      500: components['responses']['Problem500']
      503: components['responses']['Problem503']
    }
  }
}
