import { useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { byStart, divided, type EditedCue, joined, newKey } from './cues'

/** How many steps back one can go. */
const rememberedSteps = 100

interface Edits {
  cues: readonly EditedCue[]
  before: readonly (readonly EditedCue[])[]
  isDirty: boolean
  /** Typing in one caption is one step. */
  typedIn: number | null
}

type Step =
  | { kind: 'REPLACE'; cues: readonly EditedCue[] }
  | { kind: 'TYPE'; cue: EditedCue }
  | { kind: 'UNDO' }
  | { kind: 'SORT' }
  | { kind: 'SAVED' }

const advance = (edits: Edits, step: Step): Edits => {
  const { cues, before } = edits
  if (step.kind === 'SORT') return { ...edits, cues: byStart(cues), typedIn: null }
  if (step.kind === 'SAVED') return { ...edits, isDirty: false, typedIn: null }
  if (step.kind === 'UNDO') {
    const last = before.at(-1)
    return last ? { cues: last, before: before.slice(0, -1), isDirty: true, typedIn: null } : edits
  }
  const remembered = [...before, cues].slice(-rememberedSteps)
  if (step.kind === 'REPLACE') return { cues: step.cues, before: remembered, isDirty: true, typedIn: null }
  const typed = cues.map((cue) => (cue.key === step.cue.key ? step.cue : cue))
  const isSameStep = edits.typedIn === step.cue.key
  return { cues: typed, before: isSameStep ? before : remembered, isDirty: true, typedIn: step.cue.key }
}

/** The seconds of a caption that is added where none is. */
const usualSeconds = 3

/** The captions of one language as they are edited, and the one that is open. */
export const useCaptionEdits = (first: readonly EditedCue[], { isNew }: { isNew: boolean }) => {
  const [edits, step] = useReducer(advance, { cues: first, before: [], isDirty: isNew, typedIn: null })
  const [openKey, setOpenKey] = useState<number | null>(null)
  const { cues } = edits
  const at = cues.findIndex(({ key }) => key === openKey)
  const cue = cues[at]
  const next = cues[at + 1]
  const form = useRef<HTMLFormElement>(null)
  /** Whether what is typed in the open caption can be read. Otherwise its field says why. */
  const isReadable = () => form.current?.reportValidity() ?? true
  const openAnyway = (key: number | null) => {
    step({ kind: 'SORT' })
    setOpenKey(key)
  }
  /**
   * Opens a caption, unless a time of the open one cannot be read. Those before it are sorted then,
   * not while their times are typed.
   */
  const open = (key: number | null) => {
    if (isReadable()) openAnyway(key)
  }
  const replace = (changed: readonly EditedCue[]) => step({ kind: 'REPLACE', cues: changed })
  return {
    cues,
    isDirty: edits.isDirty,
    canUndo: edits.before.length > 0,
    cue,
    next,
    form,
    isReadable,
    open,
    replace,
    undo: () => step({ kind: 'UNDO' }),
    // A draft is removed before another editor takes its place.
    markSaved: () => flushSync(() => step({ kind: 'SAVED' })),
    type: (changed: EditedCue) => step({ kind: 'TYPE', cue: changed }),
    /** Adds a caption at a time, up to the next one. */
    add: (seconds: number) => {
      if (!isReadable()) return
      const after = cues.find(({ startSeconds }) => startSeconds > seconds)
      const endSeconds = Math.min(seconds + usualSeconds, after?.startSeconds ?? Number.POSITIVE_INFINITY)
      const added = { key: newKey(), startSeconds: seconds, endSeconds, text: '', settings: '' }
      replace(byStart([...cues, added]))
      openAnyway(added.key)
    },
    remove: () => {
      if (!cue) return
      replace(cues.toSpliced(at, 1))
      openAnyway(next?.key ?? cues[at - 1]?.key ?? null)
    },
    divide: () => {
      if (cue) replace(cues.toSpliced(at, 1, ...divided(cue)))
    },
    join: () => {
      if (cue && next) replace(cues.toSpliced(at, 2, joined(cue, next)))
    },
    openNext: () => open(next?.key ?? openKey),
    openBefore: () => open(cues[at - 1]?.key ?? openKey),
  }
}
export type CaptionEdits = ReturnType<typeof useCaptionEdits>
