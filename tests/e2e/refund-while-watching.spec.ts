import { axeViolationsInBoth } from './axe'
import { buyFilm } from './buy-film'
import { enterConsole } from './console'
import { newMember } from './new-member'
import { keepWatching, refused, stops } from './play-film'
import { expect, hydrated, test } from './store'

test('a refund request during playback stops the film with its reason, and again after the decision', async ({
  page,
  store,
  context,
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

  await enterConsole(ordersPage)
  const console = ordersPage.getByRole('main')
  await console.getByRole('link', { name: 'Refund requests' }).click()
  await console.getByRole('link', { name: order }).click()
  await expect(console.getByRole('heading', { name: /^Refund request of / })).toBeVisible()
  await console.getByRole('button', { name: 'Reject' }).click()
  await expect(console.getByLabel('Reason')).toBeFocused()
  await console.getByRole('button', { name: 'Back' }).click()
  expect(await axeViolationsInBoth(ordersPage)).toEqual([])
  await console.getByRole('button', { name: 'Approve and refund' }).click()
  await expect(console.getByText('Refunded', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await stops(page, film, 'This title was refunded, so you can no longer watch it.')
  await refused(page).getByRole('link', { name: 'See viewing options' }).click()
  await expect(page).toHaveURL(/\/products\/the-last-light$/)
})
