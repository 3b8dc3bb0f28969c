import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  defaultHomeSections,
  type HomeSection,
  maxHomeSections,
  type StandardSection,
  sectionKey,
} from '#contract/tenancy.ts'
import { Button } from '~/ui/button'
import { useMay } from '../../platform/session'
import form from '../../ui/form.module.css'
import { ChosenProducts, OwnTitle } from './arranged-fields'
import { AddCategory, Arrangement, ArrangementPage } from './arrangement'

/** What each section shows. */
const standardLabels = {
  WATCHING: { name: msg`Continue watching`, about: msg`Members see it once they have begun a film.` },
  VIEWED: { name: msg`Recently viewed`, about: msg`Visitors see it once they have looked at a title.` },
  NEWEST: { name: msg`New arrivals`, about: msg`The latest titles.` },
  GRID_BANNERS: { name: msg`Tiles`, about: msg`The banners that are a tile of the home page.` },
  MOST_PLAYED: { name: msg`Most played`, about: msg`The titles that are played most.` },
  WIDE_BANNER: { name: msg`First wide picture`, about: msg`Further wide pictures stand between the categories.` },
  CATEGORIES: { name: msg`Categories`, about: msg`The first five categories with at least four titles each.` },
  CUSTOM_BANNERS: { name: msg`Texts`, about: msg`The banners that are a text of the home page.` },
} as const satisfies Record<StandardSection, { name: MessageDescriptor; about: MessageDescriptor }>

interface SectionContentProps {
  section: HomeSection
  name: string
  onChange: (section: HomeSection) => void
  errorOf: (field: string) => string | undefined
}

/** What a section shows, and its own texts and products. */
function SectionContent({ section, name, onChange, errorOf }: SectionContentProps) {
  const { t, i18n } = useLingui()
  const may = useMay()
  if (section.kind !== 'CATEGORY' && section.kind !== 'PRODUCTS')
    return <p>{i18n._(standardLabels[section.kind].about)}</p>
  if (!may('settings:write')) return null
  return (
    <div className={form.form}>
      {section.kind === 'CATEGORY' ? (
        <OwnTitle
          label={t`Title of the section ${name}`}
          hint={t`Empty for the name of the category.`}
          title={section.title ?? ''}
          titles={section.titles}
          errorOf={errorOf}
          onChange={({ title, titles }) => onChange({ ...section, title: title || undefined, titles })}
        />
      ) : (
        <>
          <OwnTitle
            label={t`Title`}
            isRequired
            title={section.title}
            titles={section.titles}
            errorOf={errorOf}
            onChange={(texts) => onChange({ ...section, ...texts })}
          />
          {may('products:read') && (
            <ChosenProducts
              codes={section.productCodes}
              onChange={(productCodes) => onChange({ ...section, productCodes })}
            />
          )}
        </>
      )}
    </div>
  )
}

/** Arranges the home page of the store. */
export function HomeSections() {
  const { t, i18n } = useLingui()
  const seesProducts = useMay()('products:read')
  return (
    <ArrangementPage setting="homeSections" tab="home" title={<Trans>Home page</Trans>}>
      {(stored, categories, categoryName) => {
        const nameOf = (section: HomeSection) => {
          if (section.kind === 'PRODUCTS') return section.title || t`Chosen products`
          return section.kind === 'CATEGORY'
            ? categoryName(section.categoryId)
            : i18n._(standardLabels[section.kind].name)
        }
        return (
          <Arrangement<HomeSection>
            key={stored.version}
            stored={stored}
            setting="homeSections"
            arranged={stored.settings.homeSections ?? defaultHomeSections()}
            about={
              <Trans>
                From top to bottom, below the slides. A section with nothing to show is left out. Visitors see a change
                with their next request.
              </Trans>
            }
            max={maxHomeSections}
            keyOf={sectionKey}
            nameOf={nameOf}
            isAdded={({ kind }) => kind === 'CATEGORY' || kind === 'PRODUCTS'}
            detail={(section, onChange, errorOf) => (
              <SectionContent section={section} name={nameOf(section)} onChange={onChange} errorOf={errorOf} />
            )}
            adding={(sections, onAdd) => (
              <>
                <AddCategory
                  label={t`Add the titles of a category`}
                  categories={categories}
                  isArranged={(id) => sections.some((section) => sectionKey(section) === id)}
                  onAdd={({ id }) => onAdd({ kind: 'CATEGORY', categoryId: id })}
                />
                {seesProducts && (
                  <div className={form.buttons}>
                    <Button
                      icon="plus"
                      onClick={() => onAdd({ kind: 'PRODUCTS', id: crypto.randomUUID(), title: '', productCodes: [] })}
                    >
                      <Trans>Add chosen products</Trans>
                    </Button>
                  </div>
                )}
              </>
            )}
          />
        )
      }}
    </ArrangementPage>
  )
}
