"""MySQL and MariaDB."""

from typing import Final

_TEXT: Final = """
ascii bin bit_length char char_length character_length chr concat concat_ws elt export_set field
find_in_set format from_base64 hex insert instr lcase left length lengthb like locate lower lpad
lpad_oracle ltrim ltrim_oracle make_set mid natural_sort_key oct octet_length ord position quote
regexp_instr regexp_like regexp_replace regexp_substr repeat replace reverse right rpad rpad_oracle
rtrim rtrim_oracle sformat soundex space strcmp substr substring substring_index substr_oracle
to_base64 to_char trim trim_oracle ucase unhex upper weight_string extractvalue updatexml
format_bytes format_pico_time conv
"""
_NUMBERS: Final = """
abs acos asin atan atan2 ceil ceiling cos cot crc32 crc32c degrees exp floor greatest least ln log
log10 log2 mod pi pow power radians rand round sign sin sqrt tan to_number truncate bit_count
"""
_TIMES: Final = """
add_months adddate addtime convert_tz curdate current_date current_time current_timestamp curtime
date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear from_days
from_unixtime get_format hour last_day localtime localtimestamp makedate maketime microsecond minute
month monthname months_between now period_add period_diff quarter sec_to_time second str_to_date
subdate subtime sysdate time time_format time_to_sec timediff timestamp timestampadd timestampdiff
to_date to_days to_seconds trunc unix_timestamp utc_date utc_time utc_timestamp week weekday
weekofyear year yearweek
"""
_GROUPS: Final = """
any_value avg bit_and bit_or bit_xor count cume_dist dense_rank first_value group_concat grouping
json_arrayagg json_objectagg lag last_value lead max median min nth_value ntile percent_rank
percentile_cont percentile_disc rank row_number std stddev stddev_pop stddev_samp sum var_pop
var_samp variance
"""
_CHOICE: Final = """
coalesce decode_oracle if ifnull interval isnull name_const nullif nvl nvl2 row
"""
_JSON: Final = """
json_array json_array_append json_array_insert json_array_intersect json_compact json_contains
json_contains_path json_depth json_detailed json_equals json_exists json_extract json_insert
json_key_value json_keys json_length json_loose json_merge json_merge_patch json_merge_preserve
json_normalize json_object json_object_filter_keys json_object_to_array json_overlaps json_pretty
json_query json_quote json_remove json_replace json_schema_valid json_schema_validation_report
json_search json_set json_storage_free json_storage_size json_table json_type json_unquote
json_valid json_value
"""
_DIGESTS: Final = """
aes_decrypt aes_encrypt compress decode decode_histogram encode md5 old_password password
random_bytes sha sha1 sha2 uncompress uncompressed_length validate_password_strength
statement_digest statement_digest_text
"""
_ADDRESSES: Final = """
bin_to_uuid inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6
is_uuid sys_guid uuid uuid_short uuid_to_bin uuid_v4 uuid_v7
"""
_COLUMNS: Final = """
column_add column_check column_create column_delete column_exists column_get column_json column_list
"""
_ABOUT: Final = """
charset coercibility collation connection_id current_role current_user database found_rows
icu_version is_free_lock is_used_lock row_count rownum schema session_user system_user user version
gtid_subset gtid_subtract ps_current_thread_id ps_thread_id roles_graphml can_access_table
"""
_PLACES: Final = """
area asbinary astext aswkb aswkt boundary buffer centroid contains convexhull crosses dimension
disjoint endpoint envelope equals exteriorring geomcollfromtext geomcollfromwkb geometrycollection
geometrycollectionfromtext geometrycollectionfromwkb geometryfromtext geometryfromwkb geometryn
geometrytype geomfromtext geomfromwkb glength interiorringn intersects isclosed isempty isring
issimple linefromtext linefromwkb linestring linestringfromtext linestringfromwkb mbrcontains
mbrcoveredby mbrcovers mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin
mlinefromtext mlinefromwkb mpointfromtext mpointfromwkb mpolyfromtext mpolyfromwkb multilinestring
multilinestringfromtext multilinestringfromwkb multipoint multipointfromtext multipointfromwkb
multipolygon multipolygonfromtext multipolygonfromwkb numgeometries numinteriorrings numpoints
overlaps point pointfromtext pointfromwkb pointn pointonsurface polyfromtext polyfromwkb polygon
polygonfromtext polygonfromwkb srid st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt
st_boundary st_buffer st_buffer_strategy st_centroid st_collect st_contains st_convexhull st_crosses
st_difference st_dimension st_disjoint st_distance st_distance_sphere st_endpoint st_envelope
st_equals st_exteriorring st_frechetdistance st_geohash st_geomcollfromtext st_geomcollfromwkb
st_geometrycollectionfromtext st_geometrycollectionfromwkb st_geometryfromtext st_geometryfromwkb
st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb st_hausdorffdistance
st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_isring st_issimple
st_isvalid st_latfromgeohash st_latitude st_length st_linefromtext st_linefromwkb
st_lineinterpolatepoint st_linestringfromtext st_linestringfromwkb st_longfromgeohash st_longitude
st_makeenvelope st_mlinefromtext st_mpointfromtext st_mpointfromwkb st_mpolyfromtext st_mpolyfromwkb
st_numgeometries st_numinteriorrings st_numpoints st_overlaps st_pointatdistance st_pointfromgeohash
st_pointfromtext st_pointfromwkb st_pointn st_pointonsurface st_polyfromtext st_polyfromwkb
st_polygonfromtext st_polygonfromwkb st_relate st_simplify st_srid st_startpoint st_swapxy
st_symdifference st_touches st_transform st_union st_validate st_within st_x st_y startpoint touches
within x y
"""
# Hints of the optimizer. SET_VAR and RESOURCE_GROUP change more than a plan.
_HINTS: Final = """
max_execution_time bka no_bka bnl no_bnl hash_join no_hash_join index no_index index_merge
no_index_merge join_fixed_order join_order join_prefix join_suffix group_index no_group_index
join_index no_join_index order_index no_order_index merge no_merge mrr no_mrr no_icp
no_range_optimization semijoin no_semijoin subquery skip_scan no_skip_scan qb_name
derived_condition_pushdown no_derived_condition_pushdown
"""
NAMES: Final = frozenset(
    " ".join(
        (_TEXT, _NUMBERS, _TIMES, _GROUPS, _CHOICE, _JSON, _DIGESTS, _ADDRESSES, _COLUMNS, _ABOUT,
         _PLACES)
    ).split()
)  # fmt: skip
HINTS: Final = frozenset(_HINTS.split())
# Looks without an argument, and changes the session with one.
BARE: Final = frozenset({"last_insert_id"})
FILES: Final[frozenset[str]] = frozenset()
