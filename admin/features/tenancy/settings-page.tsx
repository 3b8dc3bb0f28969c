import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAdminApi } from '../../platform/admin-api'
import { History } from '../../ui/history'
import { Columns, Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { LanguageSection } from './language-section'
import { PictureSection } from './picture-section'
import { RedirectSection } from './redirect-section'
import { companyFields, memberFields, salesFields, storeFields } from './setting-fields'
import { storeSettingsQuery } from './settings.queries'
import { FieldsForm } from './settings-form'
import { ThemeSection } from './theme-section'
import { TranslationSection } from './translation-section'

/** The settings of the store, each part saved by itself. */
export function SettingsPage() {
  const { t } = useLingui()
  const settings = useQuery(storeSettingsQuery(useAdminApi()))
  return (
    <Page title={t`Settings`}>
      <Loaded query={settings}>
        {(stored) => {
          const { locale, locales } = stored.settings.base
          return (
            <Columns
              aside={
                <>
                  <ThemeSection stored={stored} />
                  <PictureSection stored={stored} />
                  <LanguageSection stored={stored} />
                  {locales
                    .filter((language) => language !== locale)
                    .map((language) => (
                      <TranslationSection key={language} stored={stored} language={language} />
                    ))}
                  <History entries={stored.history} />
                </>
              }
            >
              <FieldsForm title={<Trans>Store</Trans>} stored={stored} fields={storeFields} />
              <FieldsForm title={<Trans>Company</Trans>} stored={stored} fields={companyFields} />
              <FieldsForm title={<Trans>Sales</Trans>} stored={stored} fields={salesFields} />
              <FieldsForm title={<Trans>Members and comments</Trans>} stored={stored} fields={memberFields} />
              <RedirectSection stored={stored} />
            </Columns>
          )
        }}
      </Loaded>
    </Page>
  )
}
