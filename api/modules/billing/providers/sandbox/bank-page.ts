import { html, raw } from 'hono/html'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { formatDateTime } from '#contract/dates.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type Money, minorDigits, moneyText } from '#contract/money.ts'
import type { SandboxDepositId } from './cards.ts'
import { type BankFault, bankFaults } from './ledger.ts'
import { layout, type PageContext, pageLabels } from './page.ts'

const bankLabels = (i18n: I18n) => ({
  title: i18n._('Test bank'),
  intro: i18n._('Act as the buyer’s bank: transfer money to an account issued by a store, or reverse a transfer.'),
  number: i18n._('Account number'),
  find: i18n._('Find account'),
  unknown: i18n._('Account not found. Enter the 14-digit account number shown on the order.'),
  payTo: i18n._('Pay to', {}, { context: 'test bank' }),
  due: i18n._('Amount due'),
  until: (time: string) => i18n._('Due by {time}', { time }),
  state: { OPEN: i18n._('Awaiting transfer'), PAID: i18n._('Paid'), CLOSED: i18n._('Closed') },
  deposit: i18n._('Transfer'),
  amount: i18n._('Amount'),
  amountWrong: (example: string) => i18n._('Enter an amount above zero, such as {example}.', { example }),
  when: i18n._('Arrival'),
  now: i18n._('Now'),
  late: i18n._('After the deadline'),
  message: i18n._('Notification to the store'),
  faults: {
    NONE: i18n._('Sent right away'),
    LATE: i18n._('Sent after five seconds'),
    DUPLICATE: i18n._('Sent three times'),
    LOST: i18n._('Lost: the store has to check'),
  } satisfies Record<BankFault, string>,
  pay: i18n._('Transfer', {}, { context: 'button' }),
  history: i18n._('Transfers'),
  none: i18n._('No transfers yet.'),
  pays: i18n._('Applied to the order'),
  unapplied: i18n._('Not applied: different amount or too late'),
  reversed: i18n._('Reversed'),
  reverse: i18n._('Reverse'),
  refunded: (amount: string) => i18n._('{amount} refunded.', { amount }),
  notReversed: i18n._('This transfer can’t be reversed because the store has already refunded it.'),
})
export type BankLabels = ReturnType<typeof bankLabels>

/** Returns the texts of the bank's page in a language. */
const bankLabelsOf = (language: Locale): BankLabels => bankLabels(messagesOf(language))

/** An account as the page shows it. */
export interface BankAccountView {
  number: string
  bank: string
  merchant: string
  title: string
  amount: Money
  state: 'OPEN' | 'PAID' | 'CLOSED'
  dueAt: string | null
  /** Minor units that the store has refunded. */
  refunded: number
  deposits: readonly {
    id: SandboxDepositId
    amount: number
    paysOrder: boolean
    at: string
    reversed: boolean
    reversible: boolean
  }[]
}

export interface BankForm {
  number: string
  /** The amount typed by the user. Null: the amount due. */
  amount: string | null
  wrong: 'NUMBER' | 'AMOUNT' | 'NOT_REVERSED' | null
}

const timeText = (iso: string) => `${formatDateTime(iso, 'UTC')} UTC`

/** An amount in the format that people type: `12.50`, `29000`. */
const plainAmount = ({ amount, currency }: Money) => {
  const places = minorDigits(currency)
  return (amount / 10 ** places).toFixed(places)
}

const search = (context: PageContext, form: BankForm, texts: BankLabels) => {
  const bad = form.wrong === 'NUMBER'
  return html`<form method="get" action="/sandbox/bank">
    <input type="hidden" name="lang" value="${context.language}" />
    <div class="field">
      <label for="account">${texts.number}</label>
      <input id="account" name="account" value="${form.number}" inputmode="numeric" autocomplete="off" maxlength="40"
        placeholder="7000-0000-000000" required${bad ? raw(' aria-invalid="true" aria-describedby="account-error"') : ''} />
      ${bad ? html`<p class="error" id="account-error" role="alert">${texts.unknown}</p>` : ''}
    </div>
    <button class="pay">${texts.find}</button>
  </form>`
}

const choice = (name: string, value: string, label: string, chosen: boolean) =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${chosen ? raw(' checked') : ''} />${label}</label>`

const depositForm = (context: PageContext, account: BankAccountView, form: BankForm, texts: BankLabels) => {
  const bad = form.wrong === 'AMOUNT'
  const example = plainAmount(account.amount)
  return html`<form method="post" action="/sandbox/bank?lang=${context.language}">
    <input type="hidden" name="account" value="${account.number}" />
    <div class="field">
      <label for="amount">${texts.amount} (${account.amount.currency})</label>
      <input id="amount" name="amount" value="${form.amount ?? example}" inputmode="decimal" autocomplete="off" maxlength="20"
        required${bad ? raw(' aria-invalid="true" aria-describedby="amount-error"') : ''} />
      ${bad ? html`<p class="error" id="amount-error" role="alert">${texts.amountWrong(example)}</p>` : ''}
    </div>
    <fieldset><legend>${texts.when}</legend>
      ${choice('when', 'now', texts.now, true)}${choice('when', 'late', texts.late, false)}
    </fieldset>
    <fieldset><legend>${texts.message}</legend>
      ${bankFaults.map((fault) => choice('fault', fault, texts.faults[fault], fault === 'NONE'))}
    </fieldset>
    <button class="pay" name="action" value="deposit">${texts.pay}</button>
  </form>`
}

const history = (context: PageContext, account: BankAccountView, form: BankForm, texts: BankLabels) => {
  const { currency } = account.amount
  const text = (amount: number) => moneyText({ amount, currency }, context.language)
  return html`<aside class="help" aria-labelledby="history">
    <h2 id="history">${texts.history}</h2>
    ${form.wrong === 'NOT_REVERSED' ? html`<p class="alert" role="alert">${texts.notReversed}</p>` : ''}
    ${account.deposits.length === 0 ? html`<p>${texts.none}</p>` : ''}
    <ul>${account.deposits.map(
      (deposit) => html`<li class="deposit">
        <span class="digits">${text(deposit.amount)}</span>
        <span class="what">${timeText(deposit.at)} &middot; ${deposit.reversed ? texts.reversed : deposit.paysOrder ? texts.pays : texts.unapplied}</span>
        ${
          !deposit.reversible
            ? ''
            : html`<form method="post" action="/sandbox/bank?lang=${context.language}">
          <input type="hidden" name="account" value="${account.number}" /><input type="hidden" name="deposit" value="${deposit.id}" />
          <button class="quiet" name="action" value="reverse">${texts.reverse}</button>
        </form>`
        }
      </li>`,
    )}</ul>
    ${account.refunded > 0 ? html`<p>${texts.refunded(text(account.refunded))}</p>` : ''}
  </aside>`
}

const accountCard = (context: PageContext, account: BankAccountView, texts: BankLabels) =>
  html`<section class="summary" aria-label="${texts.due}">
    <p class="label">${texts.payTo}</p>
    <p class="merchant">${account.merchant}</p>
    <p class="amount">${moneyText(account.amount, context.language)}</p>
    <p class="title">${account.title}</p>
    <p class="note">${account.bank} ${account.number}</p>
    <p class="note">${texts.state[account.state]}${account.state === 'OPEN' && account.dueAt ? ` · ${texts.until(timeText(account.dueAt))}` : ''}</p>
    <p class="note">${pageLabels(context.language).sandboxNoteBank}</p>
  </section>`

/** The test bank: the search form and the account found. */
export const bankPage = (context: PageContext, account: BankAccountView | null, form: BankForm) => {
  const texts = bankLabelsOf(context.language)
  const body = account
    ? html`<main class="checkout">
    ${accountCard(context, account, texts)}
    <section class="panel"><h1>${texts.deposit}</h1>${depositForm(context, account, form, texts)}</section>
    ${history(context, account, form, texts)}
  </main>`
    : html`<main class="message">
    <section class="panel"><h1>${texts.title}</h1><p>${texts.intro}</p>${search(context, form, texts)}</section>
  </main>`
  return layout(context, pageLabels(context.language), texts.title, body)
}
