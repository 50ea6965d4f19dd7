"""PostgreSQL, with what well-known extensions add that only computes."""

from typing import Final

_TEXT: Final = """
ascii bit_count bit_length btrim char_length character_length chr coalesce concat concat_ws convert
convert_from convert_to crc32 crc32c decode encode format get_bit get_byte greatest hashtext
hashtextextended initcap is_normalized least left length like lower lpad ltrim md5 normalize nullif
num_nonnulls num_nulls octet_length overlay parse_ident position quote_ident quote_literal
quote_nullable regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim
set_bit set_byte sha224 sha256 sha384 sha512 similar_to_escape split_part starts_with
string_to_array string_to_table strpos substr substring text to_ascii to_bin to_hex to_oct translate
trim unistr upper row pg_collation_for
"""
_NUMBERS: Final = """
abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh
cot cotd degrees div erf erfc exp factorial float4 float8 floor gamma gcd int2 int4 int8 lcm lgamma
ln log log10 min_scale mod numeric pi pow power radians random random_normal round scale sign sin
sind sinh sqrt tan tand tanh trim_scale trunc width_bucket
"""
_TIMES: Final = """
age clock_timestamp current_time current_timestamp localtime localtimestamp date date_add date_bin
date_part date_subtract date_trunc extract interval isfinite justify_days justify_hours
justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps
statement_timestamp time timeofday timestamp timestamptz timetz timezone to_char to_date to_number
to_timestamp transaction_timestamp
"""
_GROUPS: Final = """
any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp
cume_dist dense_rank every all any some first_value grouping json_agg json_agg_strict
json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict
jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique
jsonb_object_agg_unique_strict lag last_value lead max min mode nth_value ntile percent_rank
percentile_cont percentile_disc range_agg range_intersect_agg rank regr_avgx regr_avgy regr_count
regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop
stddev_samp string_agg sum var_pop var_samp variance xmlagg
"""
_ARRAYS: Final = """
array array_append array_cat array_dims array_fill array_length array_lower array_ndims
array_position array_positions array_prepend array_remove array_replace array_reverse array_sample
array_shuffle array_sort array_to_json array_to_string array_to_tsvector array_upper cardinality
generate_series generate_subscripts trim_array unnest enum_first enum_last enum_range daterange
datemultirange int4multirange int4range int8multirange int8range isempty lower_inc lower_inf
multirange nummultirange numrange range_merge tsmultirange tsrange tstzmultirange tstzrange
upper_inc upper_inf
"""
_JSON: Final = """
json_array json_array_elements json_array_elements_text json_array_length json_arrayagg
json_build_array json_build_object json_each json_each_text json_exists json_extract_path
json_extract_path_text json_object json_object_keys json_objectagg json_populate_record
json_populate_recordset json_query json_scalar json_strip_nulls json_to_record json_to_recordset
json_to_tsvector json_typeof json_value jsonb_array_elements jsonb_array_elements_text
jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys
jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query
jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz
jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset jsonb_pretty jsonb_set
jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector jsonb_typeof
row_to_json to_json to_jsonb
"""
_XML: Final = """
xml xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlattributes
xmlcomment xmlconcat xmlelement xmlexists xmlforest xpath xpath_exists
"""
_ADDRESSES: Final = """
abbrev broadcast family host hostmask inet_merge inet_same_family macaddr8_set7bit masklen netmask
network set_masklen gen_random_uuid uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version
"""
_PLACES: Final = """
area bound_box box center circle diagonal diameter height isclosed ishorizontal isopen isparallel
isperp isvertical line lseg npoints path pclose point polygon popen radius slope width
"""
_WORDS: Final = """
get_current_ts_config numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery
to_tsvector ts_debug ts_delete ts_filter ts_headline ts_lexize ts_parse ts_rank ts_rank_cd
ts_token_type tsquery_phrase tsvector_to_array websearch_to_tsquery
"""
_ABOUT: Final = """
acldefault aclexplode col_description current_catalog current_database current_query current_role
current_schema current_schemas current_setting current_user format_type getdatabaseencoding
has_any_column_privilege has_column_privilege has_database_privilege
has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege
has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege
has_table_privilege has_tablespace_privilege has_type_privilege inet_client_addr inet_client_port
inet_server_addr inet_server_port mxid_age obj_description oidvectortypes pg_available_extensions
pg_available_extension_versions pg_backend_pid pg_blocking_pids pg_char_to_encoding
pg_client_encoding pg_collation_is_visible pg_column_compression pg_column_is_updatable
pg_column_size pg_conf_load_time pg_conversion_is_visible pg_current_snapshot
pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_current_xact_id_if_assigned
pg_database_collation_actual_version pg_database_size pg_describe_object pg_encoding_max_length
pg_encoding_to_char pg_filenode_relation pg_function_is_visible pg_get_backend_memory_contexts
pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_expr pg_get_function_arg_default
pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result
pg_get_function_sqlbody pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_multixact_members
pg_get_object_address pg_get_partition_constraintdef pg_get_partkeydef pg_get_publication_tables
pg_get_replica_identity_index pg_get_replication_slots pg_get_ruledef pg_get_serial_sequence
pg_get_shmem_allocations pg_get_statisticsobjdef pg_get_statisticsobjdef_columns
pg_get_statisticsobjdef_expressions pg_get_triggerdef pg_get_userbyid pg_get_viewdef
pg_get_wal_replay_pause_state pg_has_role pg_identify_object pg_identify_object_as_address
pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_indexes_size
pg_is_in_recovery pg_is_other_temp_schema pg_is_wal_replay_paused pg_jit_available
pg_last_committed_xact pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp
pg_listening_channels pg_lock_status pg_mcv_list_items pg_my_temp_schema pg_notification_queue_usage
pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_options_to_table
pg_partition_ancestors pg_partition_root pg_partition_tree pg_postmaster_start_time pg_prepared_xact
pg_relation_filenode pg_relation_filepath pg_relation_is_publishable pg_relation_is_updatable
pg_relation_size pg_safe_snapshot_blocking_pids pg_sequence_parameters pg_settings_get_flags
pg_show_all_settings pg_size_bytes pg_size_pretty pg_snapshot_xip pg_snapshot_xmax pg_snapshot_xmin
pg_statistics_obj_is_visible pg_table_is_visible pg_table_size pg_tablespace_databases
pg_tablespace_size pg_timezone_abbrevs pg_timezone_names pg_total_relation_size pg_trigger_depth
pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible
pg_type_is_visible pg_typeof pg_visible_in_snapshot pg_wal_lsn_diff pg_walfile_name
pg_walfile_name_offset pg_xact_commit_timestamp pg_xact_status row_security_active session_user
shobj_description system_user to_regclass to_regcollation to_regnamespace to_regoper to_regoperator
to_regproc to_regprocedure to_regrole to_regtype to_regtypemod txid_current_if_assigned
txid_current_snapshot txid_snapshot_xip txid_snapshot_xmax txid_snapshot_xmin txid_status
txid_visible_in_snapshot user version
"""
_COUNTERS: Final = """
pg_stat_get_activity pg_stat_get_analyze_count pg_stat_get_autoanalyze_count
pg_stat_get_autovacuum_count pg_stat_get_backend_activity pg_stat_get_backend_activity_start
pg_stat_get_backend_client_addr pg_stat_get_backend_dbid pg_stat_get_backend_idset
pg_stat_get_backend_pid pg_stat_get_backend_start pg_stat_get_backend_userid
pg_stat_get_backend_wait_event pg_stat_get_backend_wait_event_type pg_stat_get_backend_xact_start
pg_stat_get_blocks_fetched pg_stat_get_blocks_hit pg_stat_get_db_blocks_fetched
pg_stat_get_db_blocks_hit pg_stat_get_db_conflict_all pg_stat_get_db_deadlocks
pg_stat_get_db_numbackends pg_stat_get_db_temp_bytes pg_stat_get_db_temp_files
pg_stat_get_db_xact_commit pg_stat_get_db_xact_rollback pg_stat_get_dead_tuples
pg_stat_get_function_calls pg_stat_get_function_self_time pg_stat_get_function_total_time
pg_stat_get_ins_since_vacuum pg_stat_get_last_analyze_time pg_stat_get_last_autoanalyze_time
pg_stat_get_last_autovacuum_time pg_stat_get_last_vacuum_time pg_stat_get_live_tuples
pg_stat_get_mod_since_analyze pg_stat_get_numscans pg_stat_get_progress_info
pg_stat_get_tuples_deleted pg_stat_get_tuples_fetched pg_stat_get_tuples_hot_updated
pg_stat_get_tuples_inserted pg_stat_get_tuples_returned pg_stat_get_tuples_updated
pg_stat_get_vacuum_count pg_stat_get_wal_senders pg_stat_statements pg_stat_statements_info
"""
# Of pg_trgm, fuzzystrmatch, unaccent, pgcrypto, uuid-ossp, hstore.
_EXTENSIONS: Final = """
similarity word_similarity strict_word_similarity show_trgm levenshtein levenshtein_less_equal
soundex difference metaphone dmetaphone dmetaphone_alt unaccent digest hmac uuid_generate_v4
uuid_generate_v1 akeys avals skeys svals hstore_to_json hstore_to_jsonb
"""
NAMES: Final = frozenset(
    " ".join(
        (_TEXT, _NUMBERS, _TIMES, _GROUPS, _ARRAYS, _JSON, _XML, _ADDRESSES, _PLACES, _WORDS,
         _ABOUT, _COUNTERS, _EXTENSIONS)
    ).split()
)  # fmt: skip
BARE: Final[frozenset[str]] = frozenset()
HINTS: Final[frozenset[str]] = frozenset()
# Views that read files of the server.
FILES: Final = frozenset("pg_hba_file_rules pg_ident_file_mappings pg_file_settings".split())

# Types of the server's own; the functions behind anybody else's are not seen.
TYPES: Final = frozenset(
    """
    aclitem bit bool boolean box bpchar bytea char cid cidr circle date datemultirange daterange
    decimal float4 float8 inet int int2 int2vector int4 int4multirange int4range int8 int8multirange
    int8range integer interval json jsonb jsonpath line lseg macaddr macaddr8 money name numeric
    nummultirange numrange oid oidvector path pg_lsn pg_snapshot point polygon real record regclass
    regcollation regconfig regdictionary regnamespace regoper regoperator regproc regprocedure
    regrole regtype text tid time timestamp timestamptz timetz tsmultirange tsquery tsrange
    tstzmultirange tstzrange tsvector txid_snapshot uuid varbit varchar xid xid8 xml
    """.split()
)
