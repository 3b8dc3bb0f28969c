import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAdminApi } from '../../platform/admin-api'
import { History } from '../../ui/history'
import { Columns, Page } from '../../ui/page'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { LanguageSection } from './language-section'
import { PictureSection } from './picture-section'
import { RedirectSection } from './redirect-section'
import { companyFields, memberFields, salesFields, storeFields } from './setting-fields'
import { storeSettingsQuery } from './settings.queries'
import { FieldsForm } from './settings-form'
import { SettingsIndex, SettingsPart } from './settings-index'
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
            <>
              <ReadOnlyNotice permission="settings:write" />
              <SettingsIndex />
              <Columns
                aside={
                  <>
                    <SettingsPart id="look">
                      <ThemeSection stored={stored} />
                    </SettingsPart>
                    <SettingsPart id="pictures">
                      <PictureSection stored={stored} />
                    </SettingsPart>
                    <SettingsPart id="languages">
                      <LanguageSection stored={stored} />
                    </SettingsPart>
                    {locales
                      .filter((language) => language !== locale)
                      .map((language) => (
                        <TranslationSection key={language} stored={stored} language={language} />
                      ))}
                    <History entries={stored.history} />
                  </>
                }
              >
                <SettingsPart id="store">
                  <FieldsForm title={<Trans>Store</Trans>} stored={stored} fields={storeFields} />
                </SettingsPart>
                <SettingsPart id="company">
                  <FieldsForm title={<Trans>Company</Trans>} stored={stored} fields={companyFields} />
                </SettingsPart>
                <SettingsPart id="sales">
                  <FieldsForm title={<Trans>Sales</Trans>} stored={stored} fields={salesFields} />
                </SettingsPart>
                <SettingsPart id="members">
                  <FieldsForm title={<Trans>Members and comments</Trans>} stored={stored} fields={memberFields} />
                </SettingsPart>
                <SettingsPart id="redirects">
                  <RedirectSection stored={stored} />
                </SettingsPart>
              </Columns>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
