import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { axeViolations } from './axe'
import { latestMail } from './mailbox'
import { sixDigits } from './new-member'
import { expect, test } from './store'

test.use({ locale: 'ko-KR' })

/**
 * Four or more words in Latin letters: an untranslated sentence, because no name here is as long.
 */
const sentence = /[A-Za-z][A-Za-z'’]*(?:[ ,]+[A-Za-z'’]+){3,}/g

/** Expects these texts, and all text in Korean. */
async function expectKorean(page: Page, ...texts: (string | RegExp)[]) {
  const main = page.getByRole('main')
  for (const text of texts) await expect(main).toContainText(text)
  await expect(page.locator('html')).toHaveAttribute('lang', /^ko/)
  expect((await page.locator('body').innerText()).match(sentence) ?? []).toEqual([])
}

/** Expects the same of a state that no other test looks at with axe. */
async function expectAccessibleKorean(page: Page, ...texts: (string | RegExp)[]) {
  await expectKorean(page, ...texts)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await axeViolations(page)).toEqual([])
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function join(page: Page, at: string) {
  const email = `e2e-${randomUUID().slice(0, 8)}@example.com`
  await page.goto(`${at}/join/input`)
  await expectKorean(page, '이용약관에 동의해요.', '만 14세 이상이에요.')
  await page.getByLabel('이메일', { exact: true }).fill(email)
  await page.getByLabel('비밀번호', { exact: true }).fill('a lamp beside the river')
  await page.getByLabel(/^이름/).fill('이소라')
  await page.getByLabel('이용약관에 동의해요.').check()
  await page.getByLabel('개인정보 수집·이용에 동의해요.').check()
  await page.getByLabel('만 14세 이상이에요.').check()
  await page.getByRole('button', { name: '인증번호 받기' }).click()
  await page.waitForURL(/\/join\/verify/)
  await expectKorean(page, email, /후 재전송 가능/)
  const code = sixDigits(await latestMail(page, at, email, /번호|코드/))
  await page.getByLabel('인증번호', { exact: true }).fill(code)
  await page.getByRole('button', { name: '인증하고 가입하기' }).click()
  await expect(heading(page)).toHaveText('이소라님, 환영해요!')
  await expectKorean(page)
}

/** Orders by bank transfer and pays at the bank's desk. Answers the order's code. */
async function buy(page: Page, at: string, product: string): Promise<string> {
  await page.goto(`${at}/payments?product=${product}`)
  await page.getByRole('radio', { name: '무통장입금' }).check()
  await page.getByRole('checkbox').check()
  await expectKorean(page, '무통장입금')
  await page.getByRole('button', { name: /결제하기$/ }).click()
  await page.waitForURL(/\/payments\/result/)
  const account = await page
    .getByRole('definition')
    .filter({ hasText: /^\d{4}-\d{4}-\d+$/ })
    .innerText()
  await expectKorean(page, '예금주', '전용 계좌')
  const code = new URL(page.url()).searchParams.get('order')!

  await page.goto(`${at}/mypages`)
  await expectAccessibleKorean(page, '입금을 기다리고 있어요', '입금 계좌 보기')
  await page.goto(`${at}/sandbox/bank?account=${account}`)
  await page.locator('button[value=deposit]').click()
  await expect(page.locator('.deposit')).toHaveCount(1)
  await expect(async () => {
    await page.goto(`${at}/mypages/order-histories/${code}`)
    await expect(page.getByRole('main')).toContainText('아직 열어 보지 않았어요', { timeout: 1000 })
  }).toPass({ timeout: 180_000 })
  await expectAccessibleKorean(page, '결제 완료')
  return code
}

async function askRefund(page: Page, at: string, code: string) {
  await page.getByRole('link', { name: '환불 요청하기' }).click()
  const modal = page.getByRole('dialog', { name: '취소·환불' })
  await expect(modal).toContainText('담당자가 확인한 뒤 계좌로 환불해 드려요.')
  await modal.getByLabel('은행', { exact: true }).fill('한빛은행')
  await modal.locator('input[name=number]').fill('110-222-333444')
  await modal.getByLabel('예금주', { exact: true }).fill('이소라')
  await modal.getByRole('button', { name: /환불 요청$/ }).click()
  await expect(modal).toContainText('환불을 요청했어요. 담당자가 확인한 뒤 이메일로 안내해 드려요.')
  await page.goto(`${at}/mypages/order-histories/${code}`)
  await expectAccessibleKorean(page, '환불 요청')
}

async function subscribe(page: Page, at: string) {
  await page.goto(`${at}/plans`)
  await expectKorean(page, '전 강의 이용권')
  await page.getByRole('link', { name: '구독하기: 창작 이용권' }).click()
  await page.waitForURL(/\/plans\/[^/]+\/payment$/)
  await expect(heading(page)).toHaveText('창작 이용권 구독하기')
  await page.getByRole('checkbox').check()
  await expectKorean(page, '등록한 카드로 결제되는 데 동의해요.')
  await page.getByRole('button', { name: /결제하고 구독하기$/ }).click()
  await page.waitForURL(/\/sandbox\//)
  await page.locator('input[name=number]').fill('4242 4242 4242 4242')
  await page.locator('input[name=expiry]').fill('12/39')
  await page.locator('input[name=cvc]').fill('123')
  await page.locator('input[name=name]').fill('Sora Lee')
  await page.locator('button[value=save]').click()
  await page.waitForURL(/\/payment-result/)
  await expect(heading(page)).toHaveText('구독이 시작됐어요!')
  await expectAccessibleKorean(page)
  await page.goto(`${at}/mypages/subscription`)
  await expectKorean(page, '창작 이용권', '다음 결제')
  await page.goto(`${at}/mypages`)
  await expectAccessibleKorean(page, '창작 이용권', /다음 결제: \d{4}/)
}

async function openInquiryForm(page: Page, at: string) {
  await page.goto(`${at}/mypages/inquiries/input`)
  await expectKorean(page)
  await page.getByLabel('제목').fill('수강 기간이 궁금해요')
  await page.getByLabel('문의 내용').fill('언제까지 볼 수 있나요?')
  await page.getByRole('button', { name: '문의하기' }).click()
  await expect(heading(page)).toHaveText('수강 기간이 궁금해요')
  await expectKorean(page, '답변 대기', '언제까지 볼 수 있나요?')
  await page.goto(`${at}/mypages/inquiries`)
  await expectKorean(page, '1:1 문의', '수강 기간이 궁금해요')
}

test('a member joins, buys by deposit, requests a refund, subscribes and sends an inquiry in Korean', async ({
  page,
  store,
}) => {
  const at = store.at('hangang', '')
  await join(page, at)
  const code = await buy(page, at, 'object-still-life')
  await askRefund(page, at, code)
  await subscribe(page, at)
  await openInquiryForm(page, at)
})
