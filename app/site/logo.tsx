import { Link } from '@tanstack/react-router'
import { siteName } from '~/platform/document/head'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import styles from './logo.module.css'

/** The store's name, its logo, or both, by its settings, as a link to the home page. */
export function Logo({ size = 'm' }: { size?: 's' | 'm' }) {
  const settings = useSiteSettings()
  const { displayType, logoPublicUrl, logoDarkPublicUrl, name: given } = settings.base
  const name = given ?? siteName(settings)
  const withPicture = displayType !== 'TEXT'
  const withText = displayType !== 'LOGO' || !logoPublicUrl
  return (
    <Link to="/" className={styles.logo} data-size={size} aria-label={name}>
      {withPicture && logoPublicUrl && (
        <>
          {/* A browser loads a lazy picture only if it is displayed. */}
          <img
            className={logoDarkPublicUrl ? styles.light : undefined}
            src={logoPublicUrl}
            alt=""
            height={32}
            loading={logoDarkPublicUrl ? 'lazy' : undefined}
          />
          {logoDarkPublicUrl && (
            <img className={styles.dark} src={logoDarkPublicUrl} alt="" height={32} loading="lazy" />
          )}
        </>
      )}
      {withPicture && !logoPublicUrl && (
        <span className={styles.mark} aria-hidden>
          {[...name][0]}
        </span>
      )}
      {withText && (
        <span className={styles.name} dir="auto" lang={given ? settings.languages['base.name'] : undefined}>
          {name}
        </span>
      )}
    </Link>
  )
}
