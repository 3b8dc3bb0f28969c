import { buyFilm } from './buy-film'
import { pass } from './clock'
import { newMember } from './new-member'
import { storedTestCards, subscribe } from './plan-pages'
import { keepWatching, refused, stops } from './play-film'
import { expect, test } from './store'

test.beforeEach(({ store }) => {
  test.slow()
  store.expected.push(/status of 403/)
})

test('a rental that expires during playback stops the film and offers to rent again', async ({
  page,
  store,
  context,
}) => {
  const aurora = store.at('aurora', '')
  await newMember(page, aurora)
  await buyFilm(page, aurora, 'the-last-light', /Rent for 3 days/)
  const elsewhere = await context.newPage()
  await keepWatching(page, `${aurora}/products/the-last-light/watch`)
  for (let day = 0; day < 2; day++) await pass(elsewhere, aurora, 'One day')
  // The time left is the store's, whose clock is ahead of the browser's.
  await elsewhere.goto(`${aurora}/mypages/paid-products`)
  await expect(elsewhere.getByRole('article')).toContainText('Ends today')
  const film = await keepWatching(page, `${aurora}/products/the-last-light/watch`)
  expect(await film.part()).toBe(200)
  await expect(refused(page)).toHaveCount(0)

  await pass(elsewhere, aurora, 'One day')
  await stops(page, film, 'Your viewing period has ended.')
  await expect(refused(page).getByRole('link', { name: 'See viewing options' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/products\/the-last-light$/)
})

test('a plan that ends during playback stops the film and links to the plans', async ({ page, store, context }) => {
  const aurora = store.at('aurora', '')
  await newMember(page, aurora)
  await subscribe(page, aurora, 'Aurora Pass', storedTestCards.good)
  await page.goto(`${aurora}/mypages/subscription?step=cancel`)
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByRole('main')).toContainText(/Your (plan|trial) ends on/)

  // The trial lasts for two weeks.
  const elsewhere = await context.newPage()
  await pass(elsewhere, aurora, 'One week')
  for (let day = 0; day < 6; day++) await pass(elsewhere, aurora, 'One day')
  const film = await keepWatching(page, `${aurora}/products/rooftop-weather/watch`)
  expect(await film.part()).toBe(200)
  await pass(elsewhere, aurora, 'One day')
  await stops(page, film, 'Your plan has ended, so you can no longer watch this.')
  await refused(page).getByRole('link', { name: 'View plans' }).click()
  await expect(page).toHaveURL(/\/plans$/)
})
