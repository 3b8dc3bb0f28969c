import { Link } from '@tanstack/react-router'
import { productCode } from '#contract/ids.ts'
import { useMay } from '../platform/session'
import styles from './rows.module.css'

/** The title of a product, a link to its page for whoever may read products. */
export function ProductLink({ code, title }: { code: string; title: string }) {
  const mayRead = useMay()('products:read')
  const parsed = productCode.safeParse(code)
  if (!mayRead || !parsed.success) return <bdi>{title}</bdi>
  return (
    <Link to="/products/$code" params={{ code: parsed.data }} className={styles.link}>
      <bdi>{title}</bdi>
    </Link>
  )
}
