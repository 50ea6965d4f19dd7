"""How the tokens of services begin, each followed by characters of chance.

Written by `python -m tools.secret_prefixes` from the rules of Betterleaks 2.0.0-rc.4 (MIT).
"""

PREFIXES = tuple(
    """
    $aact_hmlg_ $aact_prod_ 1//0 A3- ABIA ABSK ACCA AGE-SECRET-KEY-1 AIK_CI_ AIK_SECRET_ AIza
    AKCp AKIA API- AQ.Ab8RN6 AQVN ASIA ATAT ATCTT3 AVNS_ AYNgAS ApiKey-v1 BBDC- CAIS CCDB1_
    CCIPAT_ CFPAT- CLOJARS_ EAAA EAAC EAAG EAAM EZAK EZTK FLWSECK_TEST- FlyV1 GOCSPX-
    GR1348941 HRKU-AA LTAI Mid-client- Mid-server- NRAK- NRII- NRJS- NRRA- NmFYQWlPaU PMAK-
    PRD- SEC_ SG. SWMKEY-1- SWMTKN-1- access-development- access-production- access-sandbox-
    al- api_live. api_live_ca. api_live_us. api_org_ apify_api_ apikey_ apk_ authress_
    bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t bkaa_ bkaj_ bkar_ bkct_ bkpat_ bkps_ bkpt_
    bkua_ cfat_ cfut_ cmVmd cog_ configcat-sdk-1/ cs_ csa_ csk- dapi db- dckr_ dnkey- doo_v1_
    dop_v1_ dor_v1_ dp.ct. dp.pt. dp.st. dt0c01. duffel_live_ duffel_test_ dvc_client_
    dvc_mobile_ dvc_server_ essu_ eu1. ext_ figd_ fio-u- gho_ ghp_ ghr_ ghs_ ghu_ github_pat_
    glagent- glc_ glcbt- gldt- glffct- glft- glimt- gloas- glpat- glptt- glrt- glsoat- gsk_
    hf_ hrku- hvb. hvs. ico- ion_ key- key_ lin_api_ lin_oauth_ lip_ live_ llx- lsv2_pt_
    lsv2_sk_ m0- mercury_production_ mergify_application_key_ mlsn. na1. napi_ nfp_ npm_ ntn_
    nvapi- nyk_ os_v2_app_ os_v2_org_ p8e- pa- pat-eu1- pat-na1- pat. pcsk_ pdl_live_apikey_
    persona_production_ phx_ pina_ pnpt_ pnu_ polar_at_ polar_oat_ polar_pat_ pplx- prf_
    pscale_oauth_ pscale_pw_ pscale_tkn_ pul- pypi-AgE r8_ ramp_sec_ rdme_ re_ rk_live_
    rk_prod_ rk_test_ rnd_ rootly_ rpa_ rubygems_ rzp_live_ rzp_test_ s-s4t2af- s-s4t2ud-
    samsara_api_ sat. sb_secret_ sbp_ sc_ scauth_ sgp_ sha256~ shippo_live_ shippo_test_
    shpat_ shpca_ shppa_ shpss_ sk- sk. sk_ sl. sm_aat_ sm_pat_ sm_sat_ sntrys_eyJpYXQiO
    sntryu_ sq0atp- syt_ t1. tfp_ tgp_v1_ tk-us- tskey- tss_ ucat_ unkey_ v1.0- vca_ vci_ vck_
    vcp_ vcr_ vtwn_ waka_ wandb_v1_ whsec_ xai- xapp- xkeysib- xnd_production_ xoxa- xoxb-
    xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- ya29. zpka_
    """.split()
)
