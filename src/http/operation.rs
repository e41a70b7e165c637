//! The operations of the API, as the error table and the `OpenAPI` document name them.

/// One method of one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// `POST /api/v1/generate`, also `/generate/png`, `/generate/pdf` and `/generate/svg`
    Generate,
    /// `POST /api/v1/preview`
    Preview,
    /// `POST /api/v1/preflight`
    Preflight,
    /// `GET /api/v1/fonts`
    Fonts,
    /// `GET /api/v1/fonts/{id}/specimen.png`
    Specimen,
    /// `GET /api/v1/fonts/specimens.png`
    SpecimenWords,
    /// `GET /api/v1/mail-pieces`
    MailPieces,
    /// `GET /api/v1/mail-pieces/{name}.svg`
    MailPieceGuide,
    /// `GET /api/v1/usage`
    Usage,
    /// `GET /api/v1/status`
    Status,
}

impl Operation {
    /// Every operation.
    pub(super) const ALL: &[Self] = &[
        Self::Generate,
        Self::Preview,
        Self::Preflight,
        Self::Fonts,
        Self::Specimen,
        Self::SpecimenWords,
        Self::MailPieces,
        Self::MailPieceGuide,
        Self::Usage,
        Self::Status,
    ];
    /// Operations that need an API key.
    pub(super) const WITH_KEY: &[Self] = &[
        Self::Generate,
        Self::Preview,
        Self::Preflight,
        Self::Fonts,
        Self::Specimen,
        Self::SpecimenWords,
        Self::MailPieces,
        Self::MailPieceGuide,
        Self::Usage,
    ];
    /// Operations that render or lay out.
    pub(super) const RENDERING: &[Self] =
        &[Self::Generate, Self::Preview, Self::Preflight, Self::Specimen, Self::SpecimenWords];
    /// Operations that render or lay out, and are not charged.
    pub(super) const FREE: &[Self] = &[Self::Preview, Self::Preflight, Self::SpecimenWords];
    /// Operations that have a request body.
    pub(super) const WITH_BODY: &[Self] = &[Self::Generate, Self::Preview, Self::Preflight];
}
