import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright/test'
import { createStaff, enterConsole } from './console'
import { expect, test } from './store'

const folder = join(import.meta.dirname, '../../dist')
const textOf = (file: string) => readFileSync(join(folder, 'admin/assets', file), 'utf8')

/** The scripts that a module of the console imports, and what these import. */
const withImports = (files: Iterable<string>) => {
  const allFiles = new Set<string>(files)
  for (const file of allFiles)
    for (const [, name = ''] of textOf(file).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) allFiles.add(name)
  return allFiles
}

/** Kilobytes, compressed. */
const sizeOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(textOf(file), { level: 9 }).byteLength / 1024, 0)

/** The scripts of the document, those of the first page as well, and the messages by language. */
const firstScripts = () => {
  const html = readFileSync(join(folder, 'admin/index.html'), 'utf8')
  const named = (pattern: RegExp) => Array.from(html.matchAll(pattern), ([, file = '']) => file)
  const signIn = withImports(named(/(?:src|href)="\/admin\/assets\/([^"]+\.js)"/g))
  const router = [...signIn].flatMap((file) => /\.\/(router-[\w-]{8}\.js)/.exec(textOf(file))?.[1] ?? [])
  expect(router).toHaveLength(1)
  const messages = named(/<meta name="messages-\w+" content="\/admin\/assets\/(words-[^"]+\.js)"/g)
  // English and Korean.
  expect(messages).toHaveLength(2)
  return { signIn, home: withImports([...signIn, ...router]), messages }
}

test('the console needs at most 110 kB of script to sign in, and 150 kB to show its first page, with their texts', () => {
  const { signIn, home, messages } = firstScripts()
  for (const words of messages) {
    expect(sizeOf([...signIn, words])).toBeLessThanOrEqual(110)
    expect(sizeOf([...home, words])).toBeLessThanOrEqual(150)
  }
})

test('each page of the console loads at most 60 kB of script more than what every page has', () => {
  const { home } = firstScripts()
  const imported = [...home].flatMap((file) => [...textOf(file).matchAll(/import\([`"']\.\/([^`"']+\.js)/g)])
  const pages = new Set(imported.map(([, file = '']) => file))
  // As many as there are modules of pages.
  expect(pages.size).toBeGreaterThan(45)
  const ownOf = (page: string) => [...withImports([page])].filter((file) => !home.has(file))
  const sizes = [...pages].map((page) => [page, Math.round(sizeOf(ownOf(page)))] as const)
  expect(sizes.filter(([, size]) => size > 60)).toEqual([])
})

/** The scripts that a page has loaded before all texts of the console. */
const loadedFirst = async (page: Page) => {
  const files = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)!),
  )
  const all = files.findIndex((file) => file.startsWith('messages-'))
  expect(all).toBeGreaterThan(0)
  return files.slice(0, all).filter((file) => file.endsWith('.js'))
}

test('the first page loads its scripts alone, then all texts; the menu of the person keeps what comes before it', async ({
  page,
  store,
}) => {
  await enterConsole(page)
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached()
  const { home, messages } = firstScripts()
  const first = await loadedFirst(page)
  // What the page loads when it is quiet may begin before all texts.
  expect([...home].filter((file) => !first.includes(file))).toEqual([])
  expect(first.filter((file) => file.startsWith('words-'))).toEqual([messages.find((file) => file.includes('-en-'))])

  // The menu is late: it opens once it is there, and the button keeps the focus.
  let isReleased = () => {}
  const released = new Promise<void>((resolve) => {
    isReleased = resolve
  })
  await page.route(/person-menu-[\w-]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  const person = page.getByRole('button', { name: /Sam Rivera/ })
  await person.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
  isReleased()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(person).toBeFocused()
  await page.unroute(/person-menu-/)

  // Without the first texts, all are loaded before anything is shown. Without all, pages wait.
  store.expected.push(/Failed to (?:load|fetch)|ERR_FAILED|could not be loaded/)
  await page.route(/\/words-en-/, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.unroute(/\/words-en-/)
  await page.route(/\/messages-/, (route) => route.abort())
  await page.reload()
  const menu = page.getByRole('navigation', { name: 'Console' })
  await menu.getByRole('link', { name: 'Plans' }).click()
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  await page.unroute(/\/messages-/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
})

test('the first page is in the language of the account alone, with its texts alone, also in a browser of another', async ({
  page,
  baseURL,
}, { retry }) => {
  const person = { email: `korean-${retry}@example.com`, password: 'a long password' }
  await createStaff(page, baseURL!, person.email, person.password, 'OWNER')
  await enterConsole(page, '', person)
  const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  await page.getByRole('button', { name: /Kim/ }).click()
  await page.getByRole('menuitem', { name: '한국어' }).click()
  await changed
  // Another browser, in English, where nothing was chosen.
  await page.evaluate(() => localStorage.clear())
  await page.addInitScript(() => {
    const shown = new Set<string>()
    Object.assign(window, { shown })
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('h1, nav a')) shown.add(element.textContent ?? '')
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  const { home, messages } = firstScripts()
  const [english = '', korean = ''] = ['-en-', '-ko-'].map((part) => messages.find((file) => file.includes(part)))
  // A first visit in another browser loads the texts of two languages.
  expect(sizeOf([...home, english, korean])).toBeLessThanOrEqual(151)
  const visit = async () => {
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: '홈' })).toBeVisible()
    await expect(page.getByRole('region', { name: '알림' })).toBeAttached()
    const shown = await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown])
    expect(shown).toContain('주문')
    expect(shown.filter((text) => /^(?:Home|Orders|Products|Members)$/.test(text))).toEqual([])
    return loadedFirst(page)
  }
  const first = await visit()
  expect([...home].filter((file) => !first.includes(file))).toEqual([])
  expect(first.filter((file) => file.startsWith('words-'))).toEqual([english, korean])
  // From then on the browser knows the language.
  expect((await visit()).filter((file) => file.startsWith('words-'))).toEqual([korean])
})
