//! Lists the known names of the columns of an address in Dutch, English, German and French.

use std::str::Split;

use crate::check::column_role::ColumnRole;

/// Known names for each part of an address, in lower case and without spaces and marks. The most certain names come first.
const KNOWN_NAMES: [(ColumnRole, &str); ColumnRole::ALL.len()] = [
    (
        ColumnRole::Postcode,
        "postcode pc pc6 postkode zip zipcode postalcode postalzip zippostal pstlz pcode plz postleitzahl \
         postal postcd pstcd pcd postcode1 postcodenl postnr postnummer codepostal cp \
         postcodecijfers postcodecijfer postcodenumeriek postcodenum postcodegetal pccijfers pccijfer pcnum",
    ),
    (
        ColumnRole::Number,
        "huisnummer huisnr hnr nummer nr streetnum premisenumber number housenumber houseno housenr housenum streetnumber streetno streetnr \
         hausnr hausnummer hsnr huisno huisn no adresnr adresnummer \
         huisnummermettoevoeging huisnummerentoevoeging huisnummerincltoevoeging huisnummertoevoeging huisnrtoev nrtoev \
         housenum1 housenbr buildingnumber bldgnb buildingno pandnummer gevelnummer hno hsno hnummer nrentoev nrentoevoeging hnrentoev nrenbus nrbus huisnmr propnum hsnummer straatnummer doornumber numero n huisnum huisnumm huisnrs huisnummers \
         numeroderue nderue noderue numerue",
    ),
    (
        ColumnRole::Letter,
        "huisletter letter hl houseletter huisnummerletter huislt huislet hlt hslt hslet hsletter huisltr hsltr huisl ltr hltr hletter huisnrletter hnrletter huisnrltr hnrltr letterhuisnummer letterhuisnr",
    ),
    (
        ColumnRole::Addition,
        "toevoeging toev toevoegsel huisnummertoevoeging huisnummertoev huisnummertoevoegsel huisnrtoevoeging huisnrtoev \
         addition housesuffix housenumberaddition housenumberadd housenumbersuffix housenumberext housenumberextension \
         toevhuisnr toevhuisnummer toevoeginghuisnr toevoeginghuisnummer billingextension shippingextension \
         toevaanhuisnr toevaanhuisnummer toevoegingaanhuisnr toevoegingaanhuisnummer toevaanadres toevoegingaanadres \
         huisnrtoevoegsel huisnummersuffix huisnrsuffix bijvoegsel zusatz hausnummerzusatz housenum2 housenbrsuppl \
         addresssuffix hnt htv hntoev hnrt huisnrt huistoev tv tvg aanv aanvulling subnummer subnr unit apt app bus ext extension suffix extensie extentie exthuisnummer exthuisnr busnr busnummer box boite bte \
         apartment appartement flat appartementnr appartementnummer apartmentnumber aptnr aptno appnr unitnr unitnumber unitnummer \
         kamer kamernr kamernummer streetnumber2 hntv htoe htoev erganzung complement buildingcomplement buildingcompliment addressbuildingcompliment \
         huisnrtv hsnrtv huisnummert huisnumm1 tvgsl suffixnummer aptsuite subpremise huisnrbis deur \
         bijv hstoev achtervoegsel appartementsnr appartementsnummer huisnummeraanduiding huisnraanduiding additionnr indicederepetition",
    ),
    (
        ColumnRole::Street,
        "straat straatnaam straatn straatweg street streetname str straatnm strtnm strnm strnaam strt straatnaampostbus straatpostbus straatofpostbus streetpobox \
         openbareruimte openbareruimtenaam openbareru wegnaam thoroughfare adreszondernr strasse strassenname rue nomderue nomdelarue",
    ),
    (
        ColumnRole::City,
        "woonplaats woonplaatsnaam plaats plaatsnaam stad city cityname town towncity citytown place locality ort01 ort wplts stadt city1 \
         wohnort twnnm wplnaam plts adrtwnnm wpl woonpl wnplts wnpl localite ville dorp woonkern pl plaatsnm woonplaatsnm residence placeofresidence woonoord wpnaam ortschaft",
    ),
    (
        ColumnRole::Line,
        "adres address adresregel adresregel1 adres1 adreslijn1 adresveld1 stras address1 address12 address1en2 addressline addressline1 street1 \
         streetaddress streetandnumber streetandhousenumber streetandhouseno straatenhuisnummer straatenhuisnr \
         straatennummer straatennr straathuisnummer straathuisnr straatnr straatnaamenhuisnummer straatnaamhuisnummer \
         bezoekadres woonadres vestigingsadres postadres factuuradres afleveradres leveradres verzendadres klantadres \
         correspondentieadres adresverzendennaar billingaddress shippingaddress deliveryaddress mailingaddress homeaddress \
         volledigadres adresvolledig fulladdress formattedaddress adresgegevens adresenhuisnummer adresenhuisnr adresennummer \
         adresennr straatnaamennummer straatnaamennr straatnaamenhuisnr straatnaamnummer streetennumber bezorgadres adresklant \
         adresse adresse1 adresseligne1 anschrift addr1 adr adr1 adresblok straat1 streetline1",
    ),
    (
        ColumnRole::Line2,
        "adresregel2 adres2 adreslijn2 adresveld2 adresse2 complementadresse complementdadresse address2 addressline2 streetaddress2 street2 additionalstreetname \
         apartmentsuiteetc apartmentsuiteunitetc apartmentsuiteunit appartementsuiteenz appartementsuiteetc appartementsuiteunitenz \
         appartementsuitekamerenz",
    ),
    (
        ColumnRole::Country,
        "land landcode landnaam country countrycode countryname countryid countryregion landregio landenregio landgebied landregiocode countryregioncode countrykey countryiso landid land1 pays",
    ),
    (
        ColumnRole::PostcodeLetters,
        "postcodeletters pcletters pclet postcodeletter postcodealfa postcodealpha",
    ),
];

/// Names of the third and later lines of an address. Such a line is used as the city only if it holds postcode and city.
pub(super) const LATER_LINES: &str = "adresregel3 adres3 adreslijn3 adresveld3 address3 addressline3 streetaddress3 street3 address4 address5 address6";

/// Names that match a column only if they are the whole name of the column. For example, `telefoonnummer` is not a house number
/// and `e-mailadres` is not an address. Exceptions: `pc`, `adres` and `address` at the beginning of a name, and `pc` as its last word.
pub(in crate::check) const GENERIC_NAMES: [&str; 44] = [
    "nummer", "number", "nr", "no", "letter", "place", "adres", "address", "adresse", "anschrift",
    "deur", "pc", "unit", "apt", "app", "bus", "ext", "extension", "suffix", "extensie", "box",
    "boite", "bte", "apartment", "appartement", "flat", "ltr", "n", "numero", "cp", "adr", "hl",
    "tv", "str", "aanvulling", "subnummer", "subnr", "extentie", "pcd", "pl", "dorp", "erganzung",
    "complement", "achtervoegsel",
];

/// The known names of a part of an address. The most certain names come first.
pub(in crate::check) fn known_names(role: ColumnRole) -> Split<'static, char> {
    let (_, names) = KNOWN_NAMES[role as usize];
    names.split(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_have_the_order_of_the_roles() {
        let roles = KNOWN_NAMES.map(|(role, _)| role);
        assert_eq!(roles, ColumnRole::ALL);
    }
}
