import { siteName } from '~/platform/document/head'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import styles from './home-page.module.css'

/** A store without great pictures still says its name. */
export function HomeTitle() {
  const settings = useSiteSettings()
  return (
    <header className={styles.title}>
      <h1>{siteName(settings)}</h1>
      {settings.seo.description && (
        <p className={styles.lead} lang={settings.languages['seo.description']} dir="auto">
          {settings.seo.description}
        </p>
      )}
    </header>
  )
}
