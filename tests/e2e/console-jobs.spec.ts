import { DEMO_OPERATOR } from '#demo/seed/accounts.ts'
import { makeFilm, makeLongFilm } from '#tests/support/video-files.ts'
import { axeViolationsInBoth } from './axe'
import { enterConsole } from './console'
import { expect, test } from './store'

test('uploads go on below every page, are paused, continued and canceled; an encoding is canceled and tried again', async ({
  page,
}) => {
  await enterConsole(page, '/products/new')
  const main = page.getByRole('main')
  const name = `Quay ${Date.now()}`
  await page.getByLabel('Title').fill(name)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  // The parts of the file are held, as on a slow line.
  let isHeld = true
  const held: (() => void)[] = []
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && isHeld) await new Promise<void>((go) => held.push(go))
    await route.continue().catch(() => {})
  })
  const film = makeLongFilm('quay.mp4', { times: 40, size: '320x180' })
  await page.getByLabel('Upload a video').setInputFiles(film)
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray).toContainText('quay.mp4')
  // Another page is opened without a question, and the upload stays.
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await expect(tray.getByRole('progressbar', { name: 'Upload of quay.mp4' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await tray.getByRole('button', { name: 'Pause the upload of quay.mp4' }).click()
  await expect(tray).toContainText('Paused')
  isHeld = false
  for (const go of held) go()
  await tray.getByRole('button', { name: 'Continue the upload of quay.mp4' }).click()

  // Its encoding is on the page of jobs.
  await page.getByRole('link', { name: 'Jobs' }).click()
  const encodings = main.getByRole('listitem').filter({ hasNotText: 'Uploaded' })
  const job = encodings.filter({ hasText: 'quay.mp4' })
  await expect(job).toBeVisible()
  await expect(tray).toHaveCount(0)
  await job.getByRole('button', { name: 'Cancel' }).click()
  await expect(job).toContainText('Encoding was canceled.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await job.getByRole('button', { name: 'Try again' }).click()
  await expect(job).toContainText('Ready', { timeout: 180_000 })

  // A canceled upload leaves nothing.
  isHeld = true
  await main.getByRole('link', { name: 'All videos' }).click()
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Products' }).click()
  await main.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('Replace the video').setInputFiles(makeFilm('pier.mp4'))
  await tray.getByRole('button', { name: 'Cancel the upload of pier.mp4' }).click()
  await expect(tray).toHaveCount(0)
  for (const go of held) go()
})

test('an export and a change of many are listed with their result while they go on', async ({ page, context }) => {
  await enterConsole(page, '/jobs')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 2, name: 'Imports and exports' })).toBeVisible()
  const elsewhere = await context.newPage()
  await elsewhere.goto(page.url())
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  const tag = `jobs-${Date.now()}`
  const ask = (path: string, body?: object) =>
    elsewhere.evaluate(
      async ([path, body]) => {
        const headers = { 'x-console': '1', 'content-type': 'application/json' }
        const init = body ? { method: 'POST', headers, body } : { headers }
        return (await fetch(`/api/v1/customers/aurora/admin${path}`, init)).text()
      },
      [path, body && JSON.stringify(body)] as const,
    )
  await ask('/catalog/products')
  const exported = main.getByRole('listitem').filter({ hasText: 'Export: Products' }).first()
  await expect(exported).toContainText('Done')
  await expect(exported).toContainText(DEMO_OPERATOR)
  // Whoever began it is told on every page.
  await page.getByRole('link', { name: 'Analytics', exact: true }).click()
  await expect(async () => {
    await ask('/catalog/products')
    await expect(page.getByText('The export is done: Products').first()).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  const id = crypto.randomUUID()
  await ask('/bulk-jobs', { id, kind: 'MEMBER_TAGS', filters: { q: 'member@' }, change: { add: [tag], remove: [] } })
  const changed = main.getByRole('listitem').filter({ has: page.locator(`a[href$="${id}"]`) })
  await expect(changed).toContainText('Done')
  await expect(changed).toContainText(/\d+ of \d+/)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await changed.getByRole('link', { name: 'Tags of members changed' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()

  // A draft with nothing in it cannot be sold. It fails again, as it is still empty.
  const [code, failing] = [`jobs-${Date.now()}`, crypto.randomUUID()]
  await ask('/products', { code, title: code, kind: 'VOD' })
  await ask('/bulk-jobs', { id: failing, kind: 'PRODUCTS', filters: { q: code }, change: { status: 'ON_SALE' } })
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  const failed = main.getByRole('listitem').filter({ has: page.locator(`a[href$="${failing}"]`) })
  await failed.getByRole('button', { name: 'Try the failed ones again: Products changed' }).click()
  await expect(main.getByRole('link', { name: 'What failed in the change before' })).toBeVisible()
  await expect(main.getByText('1 could not be changed.')).toBeVisible()
  await expect(main.getByText('There is nothing to watch or download yet.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Try the failed ones again' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('link', { name: 'What failed in the change before' }).click()
  await expect(main.getByText('Failed ones tried again')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Try the failed ones again' })).toHaveCount(0)
})

test('an import that goes on is canceled on the page of jobs, and an export is begun again', async ({ page }) => {
  const job = {
    id: crypto.randomUUID(),
    kind: 'IMPORT',
    table: 'products',
    file: 'films.csv',
    status: 'RUNNING',
    rows: 120,
    problems: 0,
    by: `staff:${DEMO_OPERATOR}`,
    createdAt: new Date().toISOString(),
    finishedAt: null as string | null,
    total: null,
    secondsLeft: null,
    filters: null,
  }
  const ofMembers = { ...job, id: crypto.randomUUID(), kind: 'EXPORT', table: 'members', file: null }
  const exports = [
    { ...ofMembers, rows: 500, total: 2000, secondsLeft: 30 },
    { ...ofMembers, id: crypto.randomUUID(), status: 'CANCELLED', filters: { q: 'kim', columns: 'email,tags' } },
  ]
  // An import of the demo's catalog has ended before it could be canceled.
  await page.route('**/admin/table-jobs', (route) => route.fulfill({ json: { items: [job, ...exports] } }))
  await page.route(`**/admin/table-jobs/${job.id}/cancel`, (route) => {
    Object.assign(job, { status: 'CANCELLED', finishedAt: new Date().toISOString() })
    return route.fulfill({ json: job })
  })
  await enterConsole(page, '/jobs')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'films.csv' })
  await expect(row).toContainText('In progress')
  await expect(row).toContainText('120 rows')
  const main = page.getByRole('main')
  await expect(main.getByRole('progressbar', { name: 'Export: Members' })).toHaveAttribute('aria-valuenow', '25')
  await expect(main.getByText('500 of 2,000 · 0:30 left')).toBeVisible()
  const again = main.getByRole('link', { name: 'Try again: Members' })
  await expect(again).toHaveAttribute('href', /\/admin\/members\.csv\?q=kim&columns=email%2Ctags$/)
  await row.getByRole('button', { name: 'Cancel: Import, Products' }).click()
  await expect(row).toContainText('Canceled')
  await expect(row).toContainText('Nothing was changed.')
  await expect(row.getByRole('button')).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
})
