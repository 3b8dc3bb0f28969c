import { html, raw } from 'hono/html'
import { formatDateTime } from '#contract/dates.ts'
import { type Money, minorDigits, moneyText } from '#contract/money.ts'
import { type BankFault, bankFaults } from './ledger.ts'
import { type PageContext, type PageLanguage, shell, wordsOf } from './page.ts'

const en = {
  title: 'Test bank',
  intro: 'Act as the customer’s bank: transfer money to an account issued by a store, or reverse a transfer.',
  number: 'Account number',
  find: 'Find account',
  unknown: 'Account not found. Enter the 14-digit account number shown on the order.',
  payTo: 'Pay to',
  due: 'Amount due',
  until: (time: string) => `Due by ${time}`,
  state: { OPEN: 'Awaiting transfer', PAID: 'Paid', CLOSED: 'Closed' },
  deposit: 'Transfer',
  amount: 'Amount',
  amountWrong: (example: string) => `Enter an amount above zero, such as ${example}.`,
  when: 'Arrival',
  now: 'Now',
  late: 'After the deadline',
  message: 'Notification to the store',
  faults: {
    NONE: 'Sent right away',
    LATE: 'Sent after five seconds',
    DUPLICATE: 'Sent three times',
    LOST: 'Lost: the store has to check',
  } satisfies Record<BankFault, string>,
  pay: 'Transfer',
  history: 'Transfers',
  none: 'No transfers yet.',
  pays: 'Applied to the order',
  unapplied: 'Not applied: different amount or too late',
  reversed: 'Reversed',
  reverse: 'Reverse',
  givenBack: (amount: string) => `${amount} refunded.`,
  notReversed: 'This transfer can’t be reversed because the store has already refunded it.',
}
export type BankWords = typeof en

const ko: BankWords = {
  title: '테스트 은행',
  intro: '고객의 은행 역할을 하는 화면이에요. 스토어에서 발급한 계좌에 입금하거나 입금을 취소할 수 있어요.',
  number: '계좌 번호',
  find: '계좌 찾기',
  unknown: '계좌를 찾을 수 없어요. 주문에 표시된 계좌 번호 14자리를 입력해 주세요.',
  payTo: '받는 곳',
  due: '입금할 금액',
  until: (time) => `${time}까지 입금 가능`,
  state: { OPEN: '입금 대기', PAID: '입금 완료', CLOSED: '종료된 계좌' },
  deposit: '입금',
  amount: '금액',
  amountWrong: (example) => `0보다 큰 금액을 ${example}처럼 입력해 주세요.`,
  when: '입금 시점',
  now: '지금',
  late: '입금 기한이 지난 뒤',
  message: '스토어에 보내는 알림',
  faults: {
    NONE: '바로 전송',
    LATE: '5초 뒤 전송',
    DUPLICATE: '세 번 전송',
    LOST: '유실: 스토어가 직접 조회해야 함',
  },
  pay: '입금하기',
  history: '입금 내역',
  none: '입금 내역이 없어요.',
  pays: '주문 결제로 처리됨',
  unapplied: '금액이 다르거나 늦어 결제로 처리되지 않음',
  reversed: '취소됨',
  reverse: '입금 취소',
  givenBack: (amount) => `${amount} 환불 완료`,
  notReversed: '스토어에서 이미 환불한 금액이라 취소할 수 없어요.',
}

export const bankWordsOf = (language: PageLanguage): BankWords => ({ en, ko })[language]

/** An account as the page shows it. */
export interface BankAccountView {
  number: string
  bank: string
  merchant: string
  title: string
  amount: Money
  state: 'OPEN' | 'PAID' | 'CLOSED'
  dueAt: string | null
  /** Minor units given back by the store. */
  refunded: number
  deposits: readonly { id: string; amount: number; pays: boolean; at: string; reversed: boolean; reversible: boolean }[]
}

export interface BankForm {
  number: string
  /** What was typed for the amount; null: the amount that is due. */
  amount: string | null
  wrong: 'NUMBER' | 'AMOUNT' | 'NOT_REVERSED' | null
}

const timeText = (iso: string) => `${formatDateTime(iso, 'UTC')} UTC`

/** An amount as a person writes it: `12.50`, `29000`. */
export const plainAmount = ({ amount, currency }: Money) => {
  const places = minorDigits(currency)
  return (amount / 10 ** places).toFixed(places)
}

const search = (context: PageContext, form: BankForm, words: BankWords) => {
  const bad = form.wrong === 'NUMBER'
  return html`<form method="get" action="/sandbox/bank">
    <input type="hidden" name="lang" value="${context.language}" />
    <div class="field">
      <label for="account">${words.number}</label>
      <input id="account" name="account" value="${form.number}" inputmode="numeric" autocomplete="off" maxlength="40"
        placeholder="7000-0000-000000" required${bad ? raw(' aria-invalid="true" aria-describedby="account-error"') : ''} />
      ${bad ? html`<p class="error" id="account-error" role="alert">${words.unknown}</p>` : ''}
    </div>
    <button class="pay">${words.find}</button>
  </form>`
}

const choice = (name: string, value: string, label: string, chosen: boolean) =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${chosen ? raw(' checked') : ''} />${label}</label>`

const depositForm = (context: PageContext, account: BankAccountView, form: BankForm, words: BankWords) => {
  const bad = form.wrong === 'AMOUNT'
  const example = plainAmount(account.amount)
  return html`<form method="post" action="/sandbox/bank?lang=${context.language}">
    <input type="hidden" name="account" value="${account.number}" />
    <div class="field">
      <label for="amount">${words.amount} (${account.amount.currency})</label>
      <input id="amount" name="amount" value="${form.amount ?? example}" inputmode="decimal" autocomplete="off" maxlength="20"
        required${bad ? raw(' aria-invalid="true" aria-describedby="amount-error"') : ''} />
      ${bad ? html`<p class="error" id="amount-error" role="alert">${words.amountWrong(example)}</p>` : ''}
    </div>
    <fieldset><legend>${words.when}</legend>
      ${choice('when', 'now', words.now, true)}${choice('when', 'late', words.late, false)}
    </fieldset>
    <fieldset><legend>${words.message}</legend>
      ${bankFaults.map((fault) => choice('fault', fault, words.faults[fault], fault === 'NONE'))}
    </fieldset>
    <button class="pay" name="action" value="deposit">${words.pay}</button>
  </form>`
}

const history = (context: PageContext, account: BankAccountView, form: BankForm, words: BankWords) => {
  const { currency } = account.amount
  const text = (amount: number) => moneyText({ amount, currency }, context.language)
  return html`<aside class="help" aria-labelledby="history">
    <h2 id="history">${words.history}</h2>
    ${form.wrong === 'NOT_REVERSED' ? html`<p class="alert" role="alert">${words.notReversed}</p>` : ''}
    ${account.deposits.length === 0 ? html`<p>${words.none}</p>` : ''}
    <ul>${account.deposits.map(
      (deposit) => html`<li class="deposit">
        <span class="digits">${text(deposit.amount)}</span>
        <span class="what">${timeText(deposit.at)} · ${deposit.reversed ? words.reversed : deposit.pays ? words.pays : words.unapplied}</span>
        ${
          !deposit.reversible
            ? ''
            : html`<form method="post" action="/sandbox/bank?lang=${context.language}">
          <input type="hidden" name="account" value="${account.number}" /><input type="hidden" name="deposit" value="${deposit.id}" />
          <button class="quiet" name="action" value="reverse">${words.reverse}</button>
        </form>`
        }
      </li>`,
    )}</ul>
    ${account.refunded > 0 ? html`<p>${words.givenBack(text(account.refunded))}</p>` : ''}
  </aside>`
}

const accountCard = (context: PageContext, account: BankAccountView, words: BankWords) =>
  html`<section class="summary" aria-label="${words.due}">
    <p class="label">${words.payTo}</p>
    <p class="merchant">${account.merchant}</p>
    <p class="amount">${moneyText(account.amount, context.language)}</p>
    <p class="title">${account.title}</p>
    <p class="note">${account.bank} ${account.number}</p>
    <p class="note">${words.state[account.state]}${account.state === 'OPEN' && account.dueAt ? ` · ${words.until(timeText(account.dueAt))}` : ''}</p>
    <p class="note">${wordsOf(context.language).sandboxNoteBank}</p>
  </section>`

/** The test bank: the search, and the account that was found. */
export const bankPage = (context: PageContext, account: BankAccountView | null, form: BankForm) => {
  const words = bankWordsOf(context.language)
  const body = account
    ? html`<main class="checkout">
    ${accountCard(context, account, words)}
    <section class="panel"><h1>${words.deposit}</h1>${depositForm(context, account, form, words)}</section>
    ${history(context, account, form, words)}
  </main>`
    : html`<main class="message">
    <section class="panel"><h1>${words.title}</h1><p>${words.intro}</p>${search(context, form, words)}</section>
  </main>`
  return shell(context, wordsOf(context.language), words.title, body)
}
