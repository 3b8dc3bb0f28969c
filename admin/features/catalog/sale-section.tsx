import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreProduct } from '#contract/admin/products.ts'
import { productStatus } from '#contract/enumerations.ts'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { ContentForm } from '../../ui/content-form'
import { PeriodFields, usePeriodIn } from '../../ui/period-fields'
import { productStatuses } from '../../ui/product-labels'
import { statusChoices } from '../../ui/status'
import styles from './products.module.css'

/** The status of a product and the period of its sale. */
export function SaleSection({ product }: { product: StoreProduct }) {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const periodIn = usePeriodIn()
  const { code, version, status, saleFrom, saleTo } = product
  return (
    <ContentForm
      permission="products:write"
      title={<Trans>Sale</Trans>}
      part="sale"
      done={t`Product saved`}
      queryKey={['product', code]}
      changes={[['products']]}
      send={(texts) => {
        const period = periodIn(texts)
        return api.admin.products.change(
          {
            code,
            status: productStatus.safeParse(texts.status).data,
            saleFrom: period.startsAt,
            saleTo: period.endsAt,
          },
          { context: { ifMatch: version } },
        )
      }}
    >
      {(errors) => (
        <>
          <Select
            label={t`Status`}
            name="status"
            defaultValue={status}
            options={statusChoices(i18n, productStatus.options, productStatuses)}
            error={errors.status}
          />
          <PeriodFields
            period={{ startsAt: saleFrom, endsAt: saleTo }}
            errors={{ startsAt: errors.saleFrom, endsAt: errors.saleTo }}
          />
          <p className={styles.when}>
            <Trans>
              A product on sale is not shown before its sale begins. After it has ended, its page says so. Buyers keep
              it.
            </Trans>
          </p>
        </>
      )}
    </ContentForm>
  )
}
