import { Trans } from '@lingui/react/macro'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useApi, useStoreCode } from '../platform/client'
import { newDraftKey, readDraft, removeDraft, writeDraft } from '../platform/drafts'
import { useFormat } from '../platform/format'
import { meQuery } from '../platform/session'
import { ChangesSince } from './conflict'
import form from './form.module.css'
import { restoreTexts, textsToStore } from './form-texts'

/** Milliseconds after the first key that is not kept yet. */
const pause = 500

const versioned = z.object({ version: z.union([z.string(), z.number()]) })

/** What a form holds beside its named fields. */
export interface HeldState {
  state: unknown
  restore: (state: unknown) => void
}

/** Says what a form holds. A draft that no longer has that shape, after an update, is left out. */
export const heldState = <State,>(
  state: State,
  schema: z.ZodMiniType<State>,
  restore: (state: State) => void,
): HeldState => ({
  state,
  restore: (value) => {
    const parsed = z.safeParse(schema, value)
    if (parsed.success) restore(parsed.data)
  },
})

interface FormDraftProps {
  /** The object, where it exists. */
  queryKey?: QueryKey | undefined
  /** Which form of the object, or of the page, it is. */
  part: string
  isDirty: boolean
  held?: HeldState | undefined
  /** Called before the form is filled: its changes are not saved. */
  onRestore?: () => void
  /** The id of the form, where it is not around. */
  formId?: string | undefined
}

/**
 * Keeps the unsaved changes of the form around it in the browser, and offers them when the same
 * person opens the form again: after a reload, a closed tab or a session that has ended. Passwords
 * and files are not kept.
 */
export function FormDraft({ queryKey, part, isDirty, held, onRestore, formId }: FormDraftProps) {
  const store = useStoreCode()
  const queryClient = useQueryClient()
  const { dateTime } = useFormat()
  const { data: me } = useQuery(meQuery(useApi()))
  // Who has opened the form: the session may have ended when it closes.
  const [person] = useState(me?.id)
  const [name] = useState(() => `${JSON.stringify(queryKey ?? location.pathname)} ${part}`)
  const stored = versioned.safeParse(queryKey && queryClient.getQueryData(queryKey)).data
  const version = stored ? String(stored.version) : null
  const owner = person && { store, person }
  const [offered, setOffered] = useState(() => owner && readDraft(owner, name))
  const [key] = useState(() => owner && newDraftKey(owner, name))
  /** The draft that was restored: this form keeps it as its own. */
  const restored = useRef<string>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const state = held && JSON.stringify(held.state)

  const formElement = useEffectEvent(() => {
    const element = formId === undefined ? place.current?.closest('form') : document.getElementById(formId)
    return element instanceof HTMLFormElement ? element : null
  })
  const forgetRestored = () => {
    if (restored.current !== undefined) removeDraft(restored.current)
    restored.current = undefined
  }
  const keep = useEffectEvent((element: HTMLFormElement | null) => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (!owner || !key) return
    const texts = element ? textsToStore(element) : {}
    writeDraft(owner, key, { at: Date.now(), version, texts, state: held?.state })
    forgetRestored()
  })
  const keepSoon = useEffectEvent(() => {
    const element = formElement()
    timer.current ??= setTimeout(() => keep(element), pause)
  })
  const forget = useEffectEvent(() => {
    if (key) removeDraft(key)
    forgetRestored()
    // Nobody has missed what was offered. What another tab has kept since stays.
    if (offered) removeDraft(offered.key)
  })
  const wasDirty = useRef(false)
  useEffect(() => {
    if (wasDirty.current && !isDirty) {
      // It is saved, or as it was.
      clearTimeout(timer.current)
      timer.current = undefined
      forget()
      setOffered(undefined)
    }
    wasDirty.current = isDirty
    if (!isDirty) return
    const element = formElement()
    const closed = new AbortController()
    // Another tab may have discarded it, or made room.
    const onHidden = () => document.visibilityState === 'hidden' && keep(element)
    element?.addEventListener('input', keepSoon, closed)
    element?.addEventListener('change', keepSoon, closed)
    // A refused save may be followed by the latest state, in a new form.
    element?.addEventListener('submit', () => keep(element), closed)
    document.addEventListener('visibilitychange', onHidden, closed)
    window.addEventListener('pagehide', () => keep(element), closed)
    return () => {
      closed.abort()
      if (timer.current !== undefined) keep(element)
    }
  }, [isDirty])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is kept
  useEffect(() => {
    if (isDirty) keepSoon()
  }, [isDirty, state, version])

  const restore = async (draft: NonNullable<typeof offered>) => {
    setOffered(undefined)
    restored.current = draft.key
    onRestore?.()
    held?.restore(draft.state)
    const element = formElement()
    if (element) await restoreTexts(element, draft.texts)
  }
  return (
    <div ref={place} hidden={!offered}>
      {offered && (
        <Notice tone="warning">
          <p>
            <Trans>You have unsaved changes of {dateTime(new Date(offered.at).toISOString())}.</Trans>
          </p>
          {queryKey && offered.version !== version && (
            <ChangesSince queryKey={queryKey} time={new Date(offered.at).toISOString()} />
          )}
          <div className={form.buttons}>
            <Button size="s" variant="primary" onClick={() => void restore(offered)}>
              <Trans>Restore</Trans>
            </Button>
            <Button
              size="s"
              onClick={() => {
                removeDraft(offered.key)
                // What has been typed since is a draft of its own.
                const next = owner && !isDirty ? readDraft(owner, name) : undefined
                setOffered(next)
              }}
            >
              <Trans>Discard</Trans>
            </Button>
          </div>
        </Notice>
      )}
    </div>
  )
}
