import type { Context, Hono } from 'hono'
import type { CustomerId } from '#contract/ids.ts'
import { type Money, minorDigits } from '#contract/money.ts'
import { type BankAccountView, type BankForm, bankPage } from './bank-page.ts'
import { sandboxDepositId, statusAt } from './cards.ts'
import {
  type BankFault,
  bankFaults,
  mayBeAccountOf,
  mayReverse,
  merchantName,
  paymentOfAccount,
  receiveDeposit,
  reverseDeposit,
} from './ledger.ts'
import { pageContextOf } from './page.ts'
import type { SandboxDeps } from './provider.ts'
import { listDeposits, lockPayment, type SandboxPayment } from './sandbox.queries.ts'

const maxMinorUnits = 1_000_000_000_000

/**
 * Reads `12.50` or `29,000` as minor units. Null if it is not an amount above zero, or has more
 * decimals than the currency.
 */
const readAmount = (text: string, currency: Money['currency']): number | null => {
  const plain = text.replace(/[\s,]/g, '')
  const places = minorDigits(currency)
  const [, decimals = ''] = plain.split('.')
  if (!/^\d{1,12}(\.\d+)?$/.test(plain) || decimals.length > places) return null
  const amount = Math.round(Number(plain) * 10 ** places)
  return amount > 0 && amount <= maxMinorUnits ? amount : null
}

/** The language links preserve the selected account. */
const bankContextOf = (context: Context, number: string) => pageContextOf(context, number ? { account: number } : {})

/**
 * Adds the test bank at /sandbox/bank. Anyone can pay into an account, with any amount, in time or
 * late, and reverse a deposit.
 */
export const addBankPages = (pages: Hono, deps: SandboxDeps, onLedgerChange: (customerId: CustomerId) => void) => {
  const find = async (number: string): Promise<SandboxPayment | null> => {
    const merchants = await deps.merchants()
    for (const merchant of merchants.filter((candidate) => mayBeAccountOf(candidate, number))) {
      const payment = await deps.inTenant(merchant, (db) => paymentOfAccount(db, merchant, number))
      if (payment) return payment
    }
    return null
  }

  const view = (payment: SandboxPayment): Promise<BankAccountView> =>
    deps.inTenant(payment.customerId, async (db) => {
      const deposits = await listDeposits(db, payment)
      const live = deposits.filter(({ reversedAt }) => reversedAt === null)
      const status = statusAt(payment, deps.now())
      return {
        number: payment.accountNumber ?? '',
        bank: payment.accountBank ?? '',
        merchant: await merchantName(db, payment.customerId),
        title: payment.orderName,
        amount: { amount: payment.amount, currency: payment.currency },
        state: status === 'PAID' ? 'PAID' : status === 'READY' ? 'OPEN' : 'CLOSED',
        dueAt: payment.dueAt,
        refunded: payment.refundedAmount,
        deposits: deposits.map((deposit) => {
          const { id, amount, paysOrder, at, reversedAt } = deposit
          const reversible = mayReverse(payment, live, deposit)
          return { id, amount, paysOrder, at, reversed: reversedAt !== null, reversible }
        }),
      }
    })

  const show = async (
    context: Context,
    payment: SandboxPayment | null,
    form: BankForm,
    status: 200 | 404 | 409 | 422,
  ) => context.html(bankPage(bankContextOf(context, form.number), payment && (await view(payment)), form), status)

  pages.get('/bank', async (context) => {
    const number = (context.req.query('account') ?? '').slice(0, 40)
    const payment = number ? await find(number) : null
    const wrong = number && !payment ? 'NUMBER' : null
    return show(context, payment, { number, amount: null, wrong }, wrong ? 404 : 200)
  })

  pages.post('/bank', async (context) => {
    const body: Record<string, unknown> = await context.req.parseBody().catch(() => ({}))
    const text = (name: string) => (typeof body[name] === 'string' ? body[name].slice(0, 40) : '')
    const number = text('account')
    const account = await find(number)
    if (!account) return show(context, null, { number, amount: null, wrong: 'NUMBER' }, 404)
    const customerId = account.customerId
    const fault: BankFault = bankFaults.find((name) => name === text('fault')) ?? 'NONE'

    if (text('action') === 'reverse') {
      const reversed = await deps.inTenant(customerId, async (db) => {
        const { data: depositId } = sandboxDepositId.safeParse(text('deposit'))
        const payment = depositId ? await lockPayment(db, customerId, { id: account.id }) : null
        return depositId !== undefined && payment !== null && reverseDeposit(db, payment, depositId, fault, deps.now())
      })
      if (!reversed) return show(context, account, { number, amount: null, wrong: 'NOT_REVERSED' }, 409)
    } else {
      const amount = readAmount(text('amount'), account.currency)
      if (amount === null) return show(context, account, { number, amount: text('amount'), wrong: 'AMOUNT' }, 422)
      await deps.inTenant(customerId, async (db) => {
        const payment = await lockPayment(db, customerId, { id: account.id })
        if (payment) await receiveDeposit(db, payment, { amount, late: text('when') === 'late', fault }, deps.now())
      })
    }
    onLedgerChange(customerId)
    const back = new URLSearchParams({
      account: account.accountNumber ?? number,
      lang: pageContextOf(context).language,
    })
    return context.redirect(`/sandbox/bank?${back}`, 303)
  })
}
