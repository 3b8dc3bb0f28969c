import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { planCycle } from '#contract/enumerations.ts'
import { planCode, planId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { CodeField, onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormGuard } from '../../ui/form-guard'
import { History } from '../../ui/history'
import { amountOf, MoneyField } from '../../ui/money-field'
import { OrderedRows } from '../../ui/ordered-rows'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { codeFrom, planCycles } from '../../ui/product-labels'
import { TextField } from '../../ui/text-field'
import { plansQuery } from './products.queries'

/** All plans of the store in the order in which visitors see them. */
export function PlanList() {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const { money } = useFormat()
  const isAllowed = useMay()('products:write')
  const { useSubscribe } = useSettings().order
  const plans = useQuery(plansQuery(api))
  return (
    <LoadedPage title={t`Plans`} query={plans}>
      {({ items, version, history }) => (
        <Page
          title={t`Plans`}
          actions={
            isAllowed && (
              <Button icon="plus" variant="primary" render={<Link to="/plans/new" />}>
                <Trans>New plan</Trans>
              </Button>
            )
          }
        >
          {!useSubscribe && items.some(({ onSale }) => onSale) && (
            <Notice tone="warning">
              <Trans>
                The store does not offer plans. Turn on subscriptions under <Link to="/settings">Settings</Link>, Sales.
              </Trans>
            </Notice>
          )}
          <Columns aside={<History entries={history} />}>
            <Section title={<Trans>Plans of the store</Trans>}>
              {items.length === 0 && (
                <p>
                  <Trans>
                    Create the first plan: its subscribers watch what it opens, for a price a month or a year.
                  </Trans>
                </p>
              )}
              <OrderedRows
                permission="products:write"
                queryKey={['plans']}
                send={({ key, position }) =>
                  api.admin.plans.move({ id: z.parse(planId, key), position }, { context: { ifMatch: version } })
                }
                items={items.map(({ id, name, price, cycle, onSale, subscribers, products }) => {
                  const amount = money(price)
                  const cycleName = i18n._(planCycles[cycle])
                  return {
                    key: id,
                    name,
                    title: (
                      <>
                        <Link to="/plans/$id" params={{ id }}>
                          <bdi>{name}</bdi>
                        </Link>{' '}
                        <Badge tone={onSale ? 'success' : 'neutral'}>{onSale ? t`On sale` : t`Not on sale`}</Badge>
                      </>
                    ),
                    detail: (
                      <>
                        {amount} · {cycleName} · <Plural value={products} one="# product" other="# products" /> ·{' '}
                        <Plural value={subscribers} one="# subscriber" other="# subscribers" />
                      </>
                    ),
                  }
                })}
              />
            </Section>
          </Columns>
        </Page>
      )}
    </LoadedPage>
  )
}

/** Creates a plan that is not on sale yet, and opens its page. */
export function NewPlan() {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const { currency } = useSettings().base
  const [name, setName] = useState('')
  const [code, setCode] = useState<string>()
  const create = useWrite(api.admin.plans.create, {
    done: t`Plan created`,
    changes: [['plans']],
    onDone: ({ id }) => void navigate({ to: '/plans/$id', params: { id } }),
  })
  const codeValue = code ?? codeFrom(name)
  const fields = create.failure?.fields
  return (
    <Page title={t`New plan`}>
      <Section title={<Trans>Begin a plan</Trans>}>
        <p>
          <Trans>Visitors see nothing of it until you put it on sale.</Trans>
        </p>
        <form
          className={form.form}
          onSubmit={onSubmit(({ cycle = '', price = '' }) => {
            const chosen = planCycle.safeParse(cycle).data
            const valid = planCode.safeParse(codeValue).data
            if (chosen && valid) create.send({ code: valid, name, cycle: chosen, price: amountOf(price, currency) })
          })}
        >
          <FormGuard write={create} part="plan" />
          <Refusal failure={create.failure} />
          <TextField
            label={t`Name`}
            name="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            maxLength={200}
            required
            error={fields?.name}
          />
          <CodeField
            label={t`Code`}
            hint={t`Names the plan in imports and banners: letters A to Z, digits and hyphens. It cannot be changed later.`}
            name="code"
            value={codeValue}
            onChange={({ target }) => setCode(target.value)}
            required
            error={fields?.code}
          />
          <MoneyField currency={currency} label={t`Price`} name="price" required error={fields?.price} />
          <Select
            label={t`Charged every`}
            name="cycle"
            defaultValue="MONTH"
            options={planCycle.options.map((value) => ({ value, label: i18n._(planCycles[value]) }))}
          />
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={create.isPending}>
              <Trans>Create plan</Trans>
            </Button>
            <Button variant="ghost" render={<Link to="/plans" />}>
              <Trans>Back</Trans>
            </Button>
          </div>
        </form>
      </Section>
    </Page>
  )
}
