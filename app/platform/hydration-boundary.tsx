import type { AnyRouter } from '@tanstack/react-router'
import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

const Hydrated = createContext(false)

/** Hydrates what is loaded at once. Undefined until the page is there, and once it is hydrated. */
let hydrate: (() => void) | undefined
let isMounted = false
let isHydrated = false
const { promise: mounted, resolve: reportMount } = Promise.withResolvers<void>()
let finishing: Promise<void> | undefined

/** Loads each script that is loaded later: those of parts, of routes, of what navigations show. */
const loads: (() => Promise<void>)[] = []
export const loadParts = () => Promise.all(loads.map((load) => load()))
/** Those of the parts of this page. */
const partLoads: (() => Promise<void>)[] = []
let isAllLoaded = false

/** Resolves when the parts are to be hydrated. */
const { promise: wanted, resolve: wantParts } = Promise.withResolvers<void>()

let started = 0

/**
 * Loads the parts of this page, and then what other pages need, as much at a time as the browser is
 * idle for: to begin with all at once would hold up a press.
 */
function loadWhenIdle(deadline?: IdleDeadline): void {
  if (!started) for (const load of partLoads) load().catch(() => {})
  do loads[started++]?.().catch(() => {})
  while (started < loads.length && deadline && deadline.timeRemaining() > 20)
  if (started < loads.length) whenIdle(loadWhenIdle)
  else wantParts()
}

/**
 * Registers a script that is loaded when the page is quiet, with the visitor's first movement, or
 * by `finishHydration`: once, or again after a failure.
 * @returns what loads it earlier
 */
export function loadedLater(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined
  const start = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  loads.push(start)
  wanted.then(start).catch(() => {})
  return start
}

/**
 * Makes a part of the page that is hydrated later: when the page is quiet, with the visitor's first
 * movement, or by `finishHydration`. Until then it is the server's HTML, which must work without
 * JavaScript. Only the browser may call this, because the server renders the part itself.
 */
export function hydratedLater<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined
  // A part that cannot be loaded stays as it is. The next navigation loads it again.
  const { promise: loaded, resolve: showPart } = Promise.withResolvers<void>()
  const start = loadedLater(async () => {
    Part = await load()
    showPart()
  })
  partLoads.push(start)
  const Later = (props: Props) => {
    if (!Part) use(loaded)
    return Part && <Part {...props} />
  }
  return inSuspense(Later)
}

/**
 * Makes a component that only navigations show, such as the placeholder of a page. Its script is
 * loaded with the parts that are hydrated later, and every navigation waits for these.
 */
export function shownByNavigation<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  let Part: ComponentType<Props> | undefined
  loadedLater(async () => {
    Part = await load()
  })
  return (props) => Part && <Part {...props} />
}

/** The part as the server renders it, with the mark of what is hydrated by itself. */
export const inSuspense =
  <Props extends object>(Part: ComponentType<Props>): ComponentType<Props> =>
  (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )

/**
 * Loads and hydrates the rest of the page, without waiting for what other pages need. React
 * hydrates in parts: the layout first, the page within it when there is time, the parts of
 * `hydratedLater` last. If the route, the language or the data changed before that, React would
 * compare the page with another one and discard it. Await this before such a change.
 * @returns undefined if nothing is left to do
 */
export function finishHydration(): Promise<void> | undefined {
  if (!hydrate) return undefined
  wantParts()
  finishing ??= Promise.all(partLoads.map((load) => load())).then(
    () => {
      hydrate?.()
      hydrate = undefined
      isHydrated = true
    },
    (error: unknown) => {
      finishing = undefined
      throw error
    },
  )
  return finishing
}

/** Finishes hydration and loads the scripts of other pages. Undefined if nothing is left to do. */
function prepareNavigation(): Promise<void> | undefined {
  const finished = finishHydration()
  if (!isMounted || isAllLoaded) return finished
  return Promise.all([finished, loadParts()]).then(() => {
    isAllLoaded = true
  })
}

/** Finishes hydration before each navigation, and keeps the presses from before. */
export function hydrateBeforeNavigation(router: AnyRouter): void {
  if (typeof window === 'undefined') return
  window.addEventListener('click', followWhenHydrated, true)
  window.addEventListener('click', pressWhenHydrated, true)
  for (const press of window.earlyPresses ?? []) pressWhenHydrated(press)
  window.earlyPresses = undefined
  const { load } = router
  const loadedAt = window.location.href
  router.load = async (options) => {
    try {
      await prepareNavigation()
    } catch {
      // At a navigation the address is that of the next page already. Otherwise a pressed link may
      // be loading its page, which a reload would end.
      if (window.location.href !== loadedAt) window.location.reload()
      return
    }
    return load(options)
  }
  router.startViewTransition = async (update) => {
    // The parts of the next page, so that it is shown as a whole.
    await loadParts().catch(() => {})
    await update()
  }
}

/** The link at which an event happened. */
export const linkAt = ({ target }: Pick<Event, 'target'>) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null

type Modifier = 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'

/** Whether the browser, rather than the router, follows the link. */
export const isForBrowser = (
  event: Pick<MouseEvent, 'defaultPrevented' | 'button' | Modifier>,
  link: HTMLAnchorElement,
) =>
  event.defaultPrevented ||
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey ||
  (link.target !== '' && link.target !== '_self') ||
  link.hasAttribute('download') ||
  link.origin !== location.origin

/** Marks the elements of parts that are hydrated later, so that their links wait for that. */
export const laterAttribute = { 'data-later': '' }

/** Marks the link to routes that the first script lacks. Its value names their tree. */
export const routesAttribute = 'data-routes'

/** Milliseconds until a pressed link loads its page as a document. */
const hydrationTimeout = 3_000

/** A link that is pressed before its part is hydrated is followed once it is. */
function followWhenHydrated(event: MouseEvent): void {
  const link = linkAt(event)
  if (isHydrated || !link?.closest('[data-later]') || isForBrowser(event, link)) return
  event.preventDefault()
  event.stopPropagation()
  const loadDocument = () => location.assign(link.href)
  const timer = setTimeout(loadDocument, hydrationTimeout)
  const follow = () => {
    clearTimeout(timer)
    link.click()
  }
  mounted.then(finishHydration).then(follow, loadDocument)
}

declare global {
  interface Window {
    /** The presses since the document began, until the first script runs. */
    earlyPresses: MouseEvent[] | undefined
  }
}

/** Buttons that were pressed before their parts are hydrated. */
const pressedButtons = new Set<HTMLElement>()

/**
 * A button that is pressed before its part is hydrated is pressed once more when it is, unless it
 * was pressed again meanwhile with success. React, which listens at the document, stops the press
 * of a part that is not hydrated.
 */
function pressWhenHydrated(event: MouseEvent): void {
  const { target } = event
  const button = target instanceof Element && target.closest<HTMLElement>('button[type=button]:not([popovertarget])')
  if (isHydrated || !button) return
  if (!isMounted) event.stopPropagation()
  pressedButtons.add(button)
  const root = document.documentElement
  const forget = () => pressedButtons.delete(button)
  root.addEventListener('click', forget, true)
  setTimeout(() => {
    root.removeEventListener('click', forget, true)
    if (!pressedButtons.has(button)) return
    mounted.then(finishHydration).then(() => forget() && button.click(), forget)
  })
}

/** Calls `run` when the browser is idle, or after two seconds: a page that rests may never be. */
export const whenIdle = (run: (deadline?: IdleDeadline) => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 2_000 }) : setTimeout(run)

/** Calls `run` when the page has loaded and the browser is idle. */
export function whenQuiet(run: (deadline?: IdleDeadline) => void): void {
  if (document.readyState === 'complete') whenIdle(run)
  else window.addEventListener('load', () => whenIdle(run), { once: true })
}

const firstMovements = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll'] as const

/** Calls `run` with the visitor's first movement. Returns the function that ends it. */
export function onFirstMovement(run: () => void): () => void {
  const stop = () => {
    for (const type of firstMovements) removeEventListener(type, runOnce, true)
  }
  const runOnce = () => {
    stop()
    run()
  }
  for (const type of firstMovements) addEventListener(type, runOnce, { capture: true, passive: true })
  return stop
}

/** Wraps everything a page shows. */
export function HydrationBoundary({ children }: { children: ReactNode }) {
  const [hydrated, setHydrated] = useState(false)

  useLayoutEffect(() => {
    if (hydrated) return
    // A changed context updates the parts that are not hydrated, so React hydrates them first.
    hydrate = () => flushSync(() => setHydrated(true))
    isMounted = true
    reportMount()
  }, [hydrated])

  useEffect(() => {
    onFirstMovement(wantParts)
    whenQuiet(loadWhenIdle)
  }, [])

  return <Hydrated value={hydrated}>{children}</Hydrated>
}
