import type { QueryClient } from '@tanstack/react-query'
import { type AnyRouter, type ParsedLocation, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { LoginAnswer } from '#contract/identity.ts'
import type { MemberId } from '#contract/ids.ts'
import { reportFailure } from '~/platform/api/failures'
import { ApiError, unknownError } from '~/platform/api/problem'
import { requestTimeout } from '~/platform/constants'
import { setSavedAtSignIn } from '~/platform/forms/dirty-forms'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'

const tenantWide = new Set<unknown>(
  [contractQuery, siteSettingsQuery, categoriesQuery].map(({ queryKey }) => queryKey[0]),
)

const isMemberData = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] !== meQuery.queryKey[0] && !tenantWide.has(queryKey[0])

/**
 * After a sign-out or the deletion of an account: calls `leave`, which navigates to a page for
 * guests, and drops the member’s data.
 */
export async function onSignOut(queryClient: QueryClient, leave: () => Promise<unknown>): Promise<void> {
  queryClient.setQueryData(meQuery.queryKey, null)
  await leave()
  queryClient.removeQueries({ type: 'inactive', predicate: isMemberData })
  await queryClient.invalidateQueries({ predicate: isMemberData })
}

/** After a sign-in: loads the member and invalidates everything that may depend on it. */
export async function onSignIn(queryClient: QueryClient): Promise<void> {
  const member = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  stopSaving?.()
  dropDraftsOfOthers(member?.id)
  queryClient.removeQueries({ type: 'inactive', predicate: isMemberData })
  await queryClient.invalidateQueries({ predicate: isMemberData })
}

let isEnding = false
let stopSaving: (() => void) | undefined

/**
 * After an answer that nobody is signed in: loads the member again, who is then a guest. The page
 * stays, with what was typed. The way to the sign-in page saves it.
 */
export async function onSessionEnd(router: AnyRouter): Promise<void> {
  const queryClient: QueryClient = router.options.context.queryClient
  const member = queryClient.getQueryData(meQuery.queryKey)
  // Loading the member is refused too.
  if (isEnding || !member) return
  isEnding = true
  const now = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => null)
  isEnding = false
  if (now) return
  queryClient.setQueryData(meQuery.queryKey, null)
  saveOnTheWay(router, member.id)
  // The guards of a page whose data were refused lead to the sign-in page.
  if (router.state.matches.some(({ status }) => status === 'error')) await router.invalidate()
}

/** Saves what was typed when the page is left to sign in, or at all. */
function saveOnTheWay(router: AnyRouter, member: MemberId): void {
  const save = () => saveDrafts(member, pathOf(router.state.resolvedLocation ?? router.state.location))
  const unsubscribe = router.subscribe('onBeforeNavigate', ({ toLocation }) => {
    if (toLocation.pathname === '/login') save()
  })
  window.addEventListener('pagehide', save)
  setSavedAtSignIn(true)
  stopSaving = () => {
    unsubscribe()
    window.removeEventListener('pagehide', save)
    setSavedAtSignIn(false)
    stopSaving = undefined
  }
}

/**
 * Passes the login result to the storefront's server, which stores the token in a cookie that no
 * script can read.
 * @throws ApiError if the server refuses it
 */
export async function registerWithApp(login: LoginAnswer): Promise<void> {
  const response = await fetch('/api/approval', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
    },
    body: JSON.stringify(login),
    signal: AbortSignal.timeout(requestTimeout),
  })
  if (response.ok) return
  const { status } = response
  const payload = await response.json().catch(() => ({}))
  const problem = { code: unknownError, message: '', errors: {}, requestId: '', ...payload, status }
  reportFailure(problem)
  throw new ApiError(problem)
}

/** What was typed on a page when the session of its member had ended. */
interface Drafts {
  member: MemberId
  /** The path of the page with its search. */
  page: string
  /** The values by the name of the control, by the name of the form. */
  forms: Record<string, Record<string, string>>
}

const storageKey = 'drafts'
const formAttribute = 'data-draft'

function readDrafts(): Drafts | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
  } catch {
    return null
  }
}

/** Without a storage, what was typed is lost. */
function writeDrafts(drafts: Drafts | null): void {
  try {
    if (drafts) sessionStorage.setItem(storageKey, JSON.stringify(drafts))
    else sessionStorage.removeItem(storageKey)
  } catch {}
}

function dropDraftsOfOthers(member: MemberId | undefined): void {
  const drafts = readDrafts()
  if (drafts && drafts.member !== member) writeDrafts(null)
}

const pathOf = ({ pathname, searchStr }: ParsedLocation): string => pathname + searchStr

/**
 * Controls whose values are saved: no passwords, no files, and no consents, which are given anew.
 */
const savedControls =
  ':is(input, textarea, select)[name]:not([type=password], [type=file], [type=hidden], [type=checkbox][required])'

function saveDrafts(member: MemberId, page: string): void {
  const named = [...document.querySelectorAll<HTMLFormElement>(`form[${formAttribute}]`)]
  if (named.length === 0) return
  const forms: Drafts['forms'] = {}
  for (const form of named) {
    const names = new Set([...form.querySelectorAll(savedControls)].map((control) => control.getAttribute('name')))
    const values = [...new FormData(form)].flatMap(([name, value]) =>
      names.has(name) && typeof value === 'string' ? [[name, value]] : [],
    )
    forms[form.getAttribute(formAttribute) ?? ''] = Object.fromEntries(values)
  }
  writeDrafts({ member, page, forms })
}

/** The saved values of a form on the page that is shown, if its member is signed in again. */
function draftOf(router: AnyRouter, form: string): Record<string, string> | undefined {
  const drafts = readDrafts()
  const queryClient: QueryClient = router.options.context.queryClient
  const member = queryClient.getQueryData(meQuery.queryKey)
  return drafts?.page === pathOf(router.state.location) && drafts.member === member?.id ? drafts.forms[form] : undefined
}

/** Sets a value as typing or choosing it does, so that React notices. */
function enter(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string | undefined): void {
  if (control instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(control.type)) {
    const isChosen = value === control.value
    if (control.checked !== isChosen && (isChosen || control.type === 'checkbox')) control.click()
  } else if (value !== undefined && control.value !== value) {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  }
}

/**
 * Saves what is typed in a form when its member leaves to sign in after the end of the session, and
 * enters it when the same member is back. Each form of a page has its own name.
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, name: string): void {
  const router = useRouter()
  useEffect(() => {
    form.current?.setAttribute(formAttribute, name)
    const values = draftOf(router, name)
    const drafts = readDrafts()
    if (!form.current || !values || !drafts) return
    for (const control of form.current.querySelectorAll<HTMLInputElement>(savedControls))
      enter(control, values[control.name])
    const { [name]: _entered, ...forms } = drafts.forms
    writeDrafts(Object.keys(forms).length > 0 ? { ...drafts, forms } : null)
  }, [router, form, name])
}

/** Calls `open` where a form that is opened first has a draft. */
export function useDraftOpened(name: string, open: () => void): void {
  const router = useRouter()
  const latest = useEffectEvent(open)
  useEffect(() => {
    if (draftOf(router, name)) latest()
  }, [router, name])
}
