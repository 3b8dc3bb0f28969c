import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { StoreProduct } from '#contract/admin/products.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { Section } from '../../ui/page'
import styles from './products.module.css'
import { postersQuery } from './products.queries'

/** The poster, and the pictures of the video that can take its place. */
export function PosterSection({ product: { code, poster, durationSeconds, lessonCount } }: { product: StoreProduct }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('products:write') && durationSeconds !== null && lessonCount === 0
  const choices = useQuery({ ...postersQuery(api, code), enabled: isAllowed })
  const choose = useWrite((number: number) => api.admin.products.choosePoster({ code, number }), {
    done: t`Poster changed`,
    changes: [['product', code], ['products']],
    notifiesFailure: true,
  })
  return (
    <Section title={<Trans>Poster</Trans>}>
      <img className={styles.poster} src={poster} alt={t`The poster`} />
      {isAllowed && choices.data && (
        <div className={styles.choices}>
          {choices.data.items.map(({ number, url }) => (
            <Button
              key={number}
              variant="ghost"
              className={styles.choice}
              aria-label={t`Use picture ${number}`}
              disabled={choose.isPending}
              onClick={() => choose.send(number)}
            >
              <img src={url} alt="" loading="lazy" />
            </Button>
          ))}
        </div>
      )}
    </Section>
  )
}
