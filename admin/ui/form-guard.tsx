import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { useWrite } from '../platform/use-write'
import { FormDraft, type HeldState } from './form-draft'
import { typedControl } from './form-texts'
import { UnsavedChanges } from './unsaved-changes'

/** A write that saves a form. */
export type FormWrite = Pick<ReturnType<typeof useWrite>, 'isPending' | 'whenDone'>

/**
 * Whether something has been typed into a form that none of its writes has saved. Fields without a
 * name count where the form holds them itself; in dialogs they take the word of a confirmation.
 */
export const useTyped = (
  formOf: () => HTMLFormElement | null,
  writes: readonly FormWrite[],
  { isNameNeeded }: { isNameNeeded: boolean },
) => {
  const [isTyped, setTyped] = useState(false)
  const find = useEffectEvent(formOf)
  useEffect(() => {
    const mounted = new AbortController()
    const onTyped = (event: Event) => {
      const control = typedControl(event, find())
      if (control && !(isNameNeeded && control.name === '')) setTyped(true)
    }
    for (const event of ['input', 'change']) document.addEventListener(event, onTyped, mounted)
    return () => mounted.abort()
  }, [isNameNeeded])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the writes of a form stay the same
  useEffect(() => {
    // At once: the write may lead away, which nothing asks about any more.
    const ends = writes.map(({ whenDone }) => whenDone(() => flushSync(() => setTyped(false))))
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return [isTyped, setTyped] as const
}

interface FormGuardProps {
  write: FormWrite
  /** Which form of the page it is. */
  part: string
  /** The object that it changes, where it has a version. */
  queryKey?: QueryKey
  /** What the form holds beside its named fields. */
  held?: HeldState
}

/** Keeps what is typed into the form around it, and asks before its page is left. */
export function FormGuard({ write, part, queryKey, held }: FormGuardProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTyped, setTyped] = useTyped(() => place.current?.closest('form') ?? null, [write], {
    isNameNeeded: false,
  })
  return (
    <>
      <div ref={place} hidden />
      <FormDraft
        queryKey={queryKey}
        part={part}
        isDirty={isTyped}
        held={held}
        // What it holds beside its fields is no event of a field.
        onRestore={() => setTyped(true)}
      />
      <UnsavedChanges when={isTyped && !write.isPending} />
    </>
  )
}
