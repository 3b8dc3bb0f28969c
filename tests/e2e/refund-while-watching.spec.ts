import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buyFilm } from './buy-film'
import { newMember } from './new-member'
import { keepWatching, refused, stops } from './play-film'
import { expect, hydrated, test } from './store'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

test('a refund request during playback stops the film with its reason, and again after the decision', async ({
  page,
  store,
  context,
  baseURL,
}) => {
  test.slow()
  store.expected.push(/status of 403/)
  const aurora = store.at('aurora', '')
  await newMember(page, aurora)
  const order = await buyFilm(page, aurora, 'the-last-light')
  const film = await keepWatching(page, `${aurora}/products/the-last-light/watch`)
  expect(await film.part()).toBe(200)

  const ordersPage = await context.newPage()
  await ordersPage.goto(`${aurora}/mypages/order-histories/${order}`)
  await hydrated(ordersPage)
  await ordersPage.getByRole('link', { name: 'Request a refund' }).click()
  const modal = ordersPage.getByRole('dialog', { name: 'Cancel or refund' })
  await modal.getByRole('button', { name: /^Request refund of / }).click()
  await expect(modal).toContainText('You requested a refund of')
  await stops(page, film, 'You can’t watch this while your refund request is being reviewed.')
  await expect(refused(page).getByRole('link', { name: 'View orders' })).toBeFocused()

  const data = join(tmpdir(), `marquee-e2e-${new URL(baseURL!).port}`)
  const options = { cwd: root, env: { ...process.env, MARQUEE_DATA: data } }
  const decided = await run(
    process.execPath,
    ['server/launch.js', 'cli', 'cancel', order, '--accept', '-c', 'aurora'],
    options,
  )
  expect(decided.stdout).toContain('Approved and refunded')
  await page.getByRole('button', { name: 'Try again' }).click()
  await stops(page, film, 'This title was refunded, so you can no longer watch it.')
  await refused(page).getByRole('link', { name: 'See viewing options' }).click()
  await expect(page).toHaveURL(/\/products\/the-last-light$/)
})
