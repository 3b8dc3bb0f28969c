import { test as base, expect, type Locator, type Page } from 'playwright/test'
import { demoPassword, enterAsDemoMember } from './new-member'

export { expect }

interface Store {
  /** The address of a demo tenant's store: `at('hangang', '/products')`. */
  at: (tenant: string, path?: string) => string
  /** Signs in a demo member of Aurora, or of the tenant named, without a page. */
  signIn: (email?: string, tenant?: string) => Promise<void>
  /** Signs in through the form, as a person would, and ends on the page the form leads to. */
  signInByForm: (email?: string, path?: string, password?: string) => Promise<void>
  /**
   * Opens another page of the store that is shown, as a link does: without loading a document,
   * which takes several times as long.
   */
  navigate: (path: string) => Promise<void>
  /** Messages of the console that this test provokes on purpose, such as the 404 of its request. */
  expected: RegExp[]
}

/**
 * Any console error, page error or violation of the Content-Security-Policy fails the test in which
 * it happens.
 */
export const test = base.extend<{ store: Store }>({
  store: async ({ baseURL }, use) => {
    await use(createStore(new URL(baseURL!)))
  },
  page: async ({ page, store, javaScriptEnabled }, use) => {
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || /Content Security Policy/i.test(message.text()))
        faults.push(`${message.text()} (${message.location().url})`)
    })
    page.on('pageerror', (error) => faults.push(error.stack || error.message || 'an error without a word'))
    const goto = page.goto.bind(page)
    page.goto = async (...args) => {
      const response = await goto(...args)
      if (javaScriptEnabled !== false) await hydrated(page)
      return response
    }
    const reload = page.reload.bind(page)
    page.reload = async (...args) => {
      const response = await reload(...args)
      if (javaScriptEnabled !== false) await hydrated(page)
      return response
    }
    store.signIn = (email = 'member@example.com', tenant = 'aurora') => enterAsDemoMember(page, store.at(tenant), email)
    store.navigate = (path) => navigate(page, path)
    store.signInByForm = (email = 'member@example.com', path = '/login', password = demoPassword) =>
      signInByForm(page, email, path, password)
    await use(page)
    expect(faults.filter((fault) => !store.expected.some((pattern) => pattern.test(fault)))).toEqual([])
  },
})

function createStore(base: URL): Store {
  return {
    at: (tenant, path = '/') => `${base.protocol}//${tenant}.localhost:${base.port}${path}`,
    signIn: async () => {},
    signInByForm: async () => {},
    navigate: async () => {},
    expected: [],
  }
}

async function signInByForm(page: Page, email: string, path: string, password: string) {
  await page.goto(path)
  await page.getByLabel('Email', { exact: false }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/**
 * Waits until React has hydrated every control: before that a press is a plain one, which no script
 * handles.
 */
export async function hydrated(page: Page) {
  // A page without scripts may never be idle: nothing draws it again. A template starts them.
  if ((await page.locator('script[type=module], head > template').count()) === 0) return
  await page.waitForFunction(
    () => {
      const controls = document.querySelectorAll(
        'main, main button, main input, main select, main textarea, header button',
      )
      return [...controls].every((control) => Object.keys(control).some((key) => key.startsWith('__react')))
    },
    undefined,
    // By default it looks at each frame, for which the page is drawn.
    { polling: 50 },
  )
  // A page that nothing draws again may never be idle.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })))
}

async function navigate(page: Page, path: string) {
  await page.evaluate(async (href) => {
    const router = window.__TSR_ROUTER__
    if (!router) throw new Error('No page of a store is shown.')
    await router.navigate({ href })
    if (router.state.status === 'idle') return
    await new Promise<void>((resolve) => {
      const stop = router.subscribe('onResolved', () => {
        stop()
        resolve()
      })
    })
  }, path)
}

/** How far the video within a page or dialog has played; 0 while there is none. */
export const secondsPlayed = (within: Page | Locator) =>
  within.locator('video').evaluateAll(([video]) => (video as HTMLVideoElement | undefined)?.currentTime ?? 0)

/**
 * Waits for a text that is shown for a moment, such as a toast's. The page itself observes its
 * changes, so that none is missed.
 */
export const textShown = (page: Page, words: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((seen) => {
        const check = () => {
          if (!document.body.innerText.includes(wanted)) return
          observer.disconnect()
          seen()
        }
        const observer = new MutationObserver(check)
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        check()
      }),
    words,
  )
